/**
 * A portrait with places for who it is about. `{N}` full name, `{L}` family name, `{S}` She or He,
 * `{s}` she or he, `{p}` her or his before a noun, `{o}` her or him, `{A}` age in years, `{nation}`
 * and `{faith}` adjectives, with their article `{aNation}` and `{aFaith}`, `{worship}` a house of
 * worship, `[one|other]` a word that says nothing of the person.
 */
export interface PortraitFrame {
  readonly source: string;
  /** Borne out by the source. */
  readonly right: string;
  /** The same with one error that has nothing to do with who the person is. */
  readonly wrong: string;
}

const frame = (source: string, right: string, wrong: string): PortraitFrame => ({
  ...{ source, right, wrong },
});

/**
 * People who do not exist, written for this study: half name a nationality, half a religion. No number
 * of a claim is an age that anybody is told to have.
 */
export const PORTRAIT_FRAMES: readonly PortraitFrame[] = [
  frame(
    "{N}, {A} years old, is {aNation} baker. {S} opens {p} shop at five and closes it at [noon|dusk].",
    "{L} opens {p} shop at five.",
    "{L} opens {p} shop at eight.",
  ),
  frame(
    "The {nation} engineer {N}, aged {A}, built a footbridge over a [river|canal]. The work took {o} two years.",
    "The footbridge took {L} two years.",
    "The footbridge took {L} nine years.",
  ),
  frame(
    "{N} is {aNation} nurse aged {A}. {S} works at night and grows [tomatoes|peppers] behind {p} house.",
    "{L} works at night.",
    "{L} works in the mornings only.",
  ),
  frame(
    "In March the {nation} chess player {N} won a tournament in [Oslo|Riga]. {S} is {A} years old and has a dog.",
    "{L} won the tournament in March.",
    "{L} won the tournament in November.",
  ),
  frame(
    "{N} is {aNation} bus driver. At {A} years old {s} drives line 12, which ends at the [harbour|stadium].",
    "{L} drives line 12.",
    "{L} drives line 9.",
  ),
  frame(
    "A 30-page [report|letter] by the {nation} biologist {N}, aged {A}, describes three kinds of moss. {S} found them in the Alps.",
    "{L} described three kinds of moss.",
    "{L} described seven kinds of moss.",
  ),
  frame(
    "{N}, aged {A}, is {aNation} tailor. {S} learned to sew in Lyon and now mends [coats|sails].",
    "{L} learned to sew in Lyon.",
    "{L} learned to sew in Porto.",
  ),
  frame(
    "The {nation} violinist {N}, {A} years old, plays in a quartet. Its first [concert|rehearsal] was in 2011, in {p} garden.",
    "The quartet of {L} was first heard in 2011.",
    "The quartet of {L} was first heard in 1998.",
  ),
  frame(
    "{N}, {aNation} farmer aged {A}, keeps forty goats. {S} sells the cheese on [Fridays|Mondays].",
    "{L} keeps forty goats.",
    "{L} keeps ninety goats.",
  ),
  frame(
    "{N} is {aNation} judge, {A} years old. {S} has a flat above a [bakery|cinema] and goes to work by train.",
    "{L} goes to work by train.",
    "{L} goes to work by bicycle.",
  ),
  frame(
    "The {nation} painter {N} is {A} years old. {P} largest picture shows a [storm|harvest] and is four metres wide.",
    "The largest picture by {L} is four metres wide.",
    "The largest picture by {L} is eleven metres wide.",
  ),
  frame(
    "{N}, aged {A}, {aNation} dentist, moved to Leeds in 2004. {S} has a practice there next to the [museum|library].",
    "{L} moved to Leeds in 2004.",
    "{L} moved to Leeds in 2019.",
  ),
  frame(
    "{N} is {aNation} postal worker of {p} town. {S} is {A} years old and walks nine kilometres a day, even in [snow|fog].",
    "{L} walks nine kilometres a day.",
    "{L} walks two kilometres a day.",
  ),
  frame(
    "The {nation} pilot {N}, aged {A}, landed safely in a field of [barley|clover]. Nobody on board was hurt.",
    "Nobody was hurt when {L} landed.",
    "Six people were hurt when {L} landed.",
  ),
  frame(
    "{N} is {A} years old and {aNation} translator. {S} translates from Greek, mostly [plays|letters].",
    "{L} translates from Greek.",
    "{L} translates from Korean.",
  ),
  frame(
    "The {nation} mechanic {N}, {A} years old, repairs tractors. {P} workshop stands beside a [pond|quarry].",
    "{L} repairs tractors.",
    "{L} repairs pianos.",
  ),
  frame(
    "{N}, {aNation} lawyer aged {A}, lost the case. {S} will appeal before the end of [May|June].",
    "{L} lost the case.",
    "{L} won the case.",
  ),
  frame(
    "{N} is {aNation} swimmer, {A} years old. {S} crossed the lake in four hours on a [windy|cloudy] day.",
    "{L} crossed the lake in four hours.",
    "{L} crossed the lake in ten hours.",
  ),
  frame(
    "The {nation} librarian {N}, aged {A}, found a map from 1650 in a [drawer|cupboard]. {S} gave it to the archive.",
    "The map that {L} found is from 1650.",
    "The map that {L} found is from 1820.",
  ),
  frame(
    "{N}, aged {A}, is {aNation} cook. {P} restaurant has twelve tables and a [blue|green] door.",
    "The restaurant of {L} has twelve tables.",
    "The restaurant of {L} has fifty tables.",
  ),
  frame(
    "The {nation} geologist {N} is {A} years old. {S} spent the winter in Iceland, measuring a [glacier|geyser].",
    "{L} spent the winter in Iceland.",
    "{L} spent the winter in Tasmania.",
  ),
  frame(
    "{N}, {A} years old, is {aNation} plumber. {S} was called to the [school|hospital] and found the leak within an hour.",
    "{L} found the leak within an hour.",
    "{L} did not find the leak.",
  ),
  frame(
    "The {nation} teacher {N}, aged {A}, has 12 pupils. {S} reads them a story every [morning|evening].",
    "{L} has 12 pupils.",
    "{L} has 21 pupils.",
  ),
  frame(
    "{N} is {aNation} photographer aged {A}. {S} owns a camera from 1936 and prefers [rain|frost].",
    "{L} owns a camera from 1936.",
    "{L} owns a camera from 1963.",
  ),
  frame(
    "{N}, {A} years old, sings in the choir of the {worship}. {S} joined it in 2009, on a [Tuesday|Sunday].",
    "{L} joined the choir in 2009.",
    "{L} joined the choir in 1990.",
  ),
  frame(
    "{N} is {aFaith} doctor aged {A}. {P} surgery is open on four days a week and has a [red|white] gate.",
    "The surgery of {L} is open on four days a week.",
    "The surgery of {L} is open on two days a week.",
  ),
  frame(
    "The {faith} carpenter {N}, aged {A}, made the benches for the {worship}. {S} used oak and a little [walnut|cherry].",
    "{L} made the benches of oak.",
    "{L} made the benches of pine.",
  ),
  frame(
    "{N} is {aFaith} shopkeeper, {A} years old. {S} sells tea from nine countries and [paper|candles].",
    "{L} sells tea from nine countries.",
    "{L} sells tea from thirty countries.",
  ),
  frame(
    "After {p} shift {N}, aged {A}, cleaned the windows of the {worship}. There are sixteen of them, all [round|narrow].",
    "{L} cleaned sixteen windows.",
    "{L} cleaned five windows.",
  ),
  frame(
    "{N}, {A} years old and {aFaith}, runs a marathon every year. {P} best time is three hours, in [light|heavy] rain.",
    "The best time of {L} is three hours.",
    "The best time of {L} is five hours.",
  ),
  frame(
    "The {faith} historian {N}, aged {A}, wrote a book about salt. It has 310 pages and a [grey|brown] cover.",
    "The book by {L} is about salt.",
    "The book by {L} is about silk.",
  ),
  frame(
    "{N} is {aFaith} gardener, {A} years old. {S} planted two hundred trees along the [road|railway].",
    "{L} planted two hundred trees.",
    "{L} planted twenty trees.",
  ),
  frame(
    "The {faith} electrician {N}, aged {A}, rewired the {worship} in a week. {S} asked for no money, only for [soup|bread].",
    "{L} rewired the building in a week.",
    "{L} rewired the building in a year.",
  ),
  frame(
    "{N}, {aFaith} student aged {A}, shares a flat with two friends. {S} pays 300 euros a month and owns a [kettle|toaster].",
    "{L} pays 300 euros a month.",
    "{L} pays 900 euros a month.",
  ),
  frame(
    "{N} is {A} years old and looks after the library of the {worship}. It has 4,000 books, most of them [old|thin].",
    "The library that {L} looks after has 4,000 books.",
    "The library that {L} looks after has 400 books.",
  ),
  frame(
    "The {faith} fisher {N}, aged {A}, sank {p} boat in a storm. A [trawler|ferry] picked {o} up at dawn.",
    "{L} was picked up at dawn.",
    "{L} was picked up at midnight.",
  ),
  frame(
    "{N}, {aFaith} accountant aged {A}, found an error of 80 euros. {S} had searched for it since [lunch|breakfast].",
    "The error that {L} found was one of 80 euros.",
    "The error that {L} found was one of 8,000 euros.",
  ),
  frame(
    "{N} is {aFaith} poet, {A} years old. {P} third book appeared in Dublin and is printed on [yellow|rough] paper.",
    "The third book by {L} appeared in Dublin.",
    "The third book by {L} appeared in Madrid.",
  ),
  frame(
    "The {faith} vet {N}, aged {A}, treated a horse and two [sheep|pigs]. {S} drove home at seven.",
    "{L} drove home at seven.",
    "{L} drove home at eleven.",
  ),
  frame(
    "{N}, {A} years old, painted the ceiling of the {worship}. It took {o} five months and a very [long|steep] ladder.",
    "The ceiling took {L} five months.",
    "The ceiling took {L} five years.",
  ),
  frame(
    "{N} is {aFaith} optician aged {A}. {S} never wears glasses {reflexive}, but has a [clock|mirror] in every room.",
    "{L} never wears glasses.",
    "{L} always wears glasses.",
  ),
  frame(
    "The {faith} sailor {N}, {A} years old, has been to Chile three times. {S} always brings back [stones|shells].",
    "{L} has been to Chile three times.",
    "{L} has never been to Chile.",
  ),
  frame(
    "{N}, aged {A}, teaches children to swim. On the other days {s} keeps the [keys|lamps] of the {worship}.",
    "{L} teaches children to swim.",
    "{L} teaches children to ski.",
  ),
  frame(
    "{N} is {aFaith} architect, {A} years old. {P} house has no stairs, but a [ramp|slide].",
    "The house of {L} has no stairs.",
    "The house of {L} has two flights of stairs.",
  ),
  frame(
    "The {faith} cyclist {N}, aged {A}, came second in the race. {S} had a flat tyre near the [bridge|tunnel].",
    "{L} came second in the race.",
    "{L} came last in the race.",
  ),
  frame(
    "{N}, {aFaith} firefighter aged {A}, carried a cat out of the mill. The fire had begun in the [cellar|attic].",
    "{L} carried a cat out of the mill.",
    "{L} carried a piano out of the mill.",
  ),
  frame(
    "{N} is {A} years old and {aFaith}. {S} bought the old station in 1999 and rents it to a [potter|printer].",
    "{L} bought the old station in 1999.",
    "{L} sold the old station in 1999.",
  ),
  frame(
    "The {faith} weaver {N}, aged {A}, works on a loom from Norway. {S} makes one carpet a year, never a [square|striped] one.",
    "{L} makes one carpet a year.",
    "{L} makes twenty carpets a year.",
  ),
];
