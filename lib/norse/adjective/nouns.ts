import { type Cell, CELLS } from "./paradigm.ts";

/**
 * Nouns that head the phrases of adjective.ts, declined in full, so that every reading of a form is
 * known: lemma's gender, then nom, acc, dat, gen singular, then plural. `/` parts by-forms, `-`
 * stands for a number or form that is not in use. Paradigms: Noreen, Altisländische Grammatik,
 * noun chapters; Zoëga for gender.
 */
const MASCULINES = `
konungr konung konungi konungs konungar konunga konungum konunga
maðr mann manni manns menn menn mǫnnum manna
hermaðr hermann hermanni hermanns hermenn hermenn hermǫnnum hermanna
karlmaðr karlmann karlmanni karlmanns karlmenn karlmenn karlmǫnnum karlmanna
veiðimaðr veiðimann veiðimanni veiðimanns veiðimenn veiðimenn veiðimǫnnum veiðimanna
undirhyggjumaðr undirhyggjumann undirhyggjumanni undirhyggjumanns undirhyggjumenn undirhyggjumenn undirhyggjumǫnnum undirhyggjumanna
bardagamaðr bardagamann bardagamanni bardagamanns bardagamenn bardagamenn bardagamǫnnum bardagamanna
ofrkappsmaðr ofrkappsmann ofrkappsmanni ofrkappsmanns ofrkappsmenn ofrkappsmenn ofrkappsmǫnnum ofrkappsmanna
hluti hluta hluta hluta hlutar hluta hlutum hluta
hlutr hlut hlut/hluti hlutar hlutir hluti hlutum hluta
apaldr apaldr apaldri apaldrs apaldrar apaldra apǫldrum apaldra
eldr eld eldi elds eldar elda eldum elda
ófagnaðr ófagnað ófagnaði ófagnaðar ófagnaðir ófagnaði ófǫgnuðum ófagnaða
fagnaðr fagnað fagnaði fagnaðar fagnaðir fagnaði fǫgnuðum fagnaða
stokkr stokk stokki stokks stokkar stokka stokkum stokka
haugr haug haugi haugs haugar hauga haugum hauga
sómi sóma sóma sóma sómar sóma sómum sóma
flokkr flokk flokki flokks flokkar flokka flokkum flokka
skjaldmeyjaflokkr skjaldmeyjaflokk skjaldmeyjaflokki skjaldmeyjaflokks skjaldmeyjaflokkar skjaldmeyjaflokka skjaldmeyjaflokkum skjaldmeyjaflokka
stormr storm stormi storms stormar storma stormum storma
sjór sjó sjó/sjóvi sjóvar - - - -
dagr dag degi dags dagar daga dǫgum daga
tímadagr tímadag tímadegi tímadags tímadagar tímadaga tímadǫgum tímadaga
auðr auð auð/auði auðs/auðar - - - -
harmr harm harmi harms harmar harma hǫrmum harma
styrkr styrk styrk styrks/styrkjar styrkir styrki styrkjum styrkja
dreki dreka dreka dreka drekar dreka drekum dreka
frami frama frama frama - - - -
landskjálfti landskjálfta landskjálfta landskjálfta landskjálftar landskjálfta landskjálftum landskjálfta
ormr orm ormi orms ormar orma ormum orma
eitrormr eitrorm eitrormi eitrorms eitrormar eitrorma eitrormum eitrorma
hringr hring hringi hrings hringar hringa hringum hringa
sigr sigr sigri sigrs sigrar sigra sigrum sigra
móðr móð móði móðs - - - -
móðtregi móðtrega móðtrega móðtrega móðtregar móðtrega móðtregum móðtrega
bœr bœ bœ bœjar bœir bœi bœjum bœja
hǫfðingi hǫfðingja hǫfðingja hǫfðingja hǫfðingjar hǫfðingja hǫfðingjum hǫfðingja
blómi blóma blóma blóma blómar blóma blómum blóma
áhugi áhuga áhuga áhuga áhugar áhuga áhugum áhuga
hjǫrtr hjǫrt hirti hjartar hirtir hjǫrtu hjǫrtum hjarta
mundr mund mund/mundi mundar mundir mundi mundum munda
fjǫldi fjǫlda fjǫlda fjǫlda - - - -
mannfjǫldi mannfjǫlda mannfjǫlda mannfjǫlda - - - -
vinr vin vin vinar vinir vini vinum vina
gnýr gný gný gnýs gnýir gnýi gnýjum gnýja
metnaðr metnað metnaði metnaðar - - - -
skǫrungr skǫrung skǫrungi skǫrungs skǫrungar skǫrunga skǫrungum skǫrunga
kappi kappa kappa kappa kappar kappa kǫppum kappa
viðrbúnaðr viðrbúnað viðrbúnaði viðrbúnaðar - - - -
þróttr þrótt þrótti þróttar - - - -
drykkr drykk drykk/drykki drykkjar drykkir drykki drykkjum drykkja
sveinn svein sveini sveins sveinar sveina sveinum sveina
hugr hug hug/hugi hugar hugir hugi hugum huga
mágr mág mági mágs mágar mága mágum mága
vísundr vísund vísundi vísundar vísundar vísunda vísundum vísunda
sonr son syni sonar synir sonu/syni sonum sona
beini beina beina beina beinar beina beinum beina
búningr búning búningi búnings búningar búninga búningum búninga
hjálmr hjálm hjálmi hjálms hjálmar hjálma hjálmum hjálma
bátr bát báti báts bátar báta bátum báta
siðr sið sið/siði siðar siðir siðu/siði siðum siða
herr her her/heri hers/herjar herjar herja herjum herja
hǫttr hǫtt hetti hattar hettir hǫttu hǫttum hatta
mjǫðr mjǫð miði mjaðar - - - -
gripr grip grip gripar gripir gripi gripum gripa
skjǫldr skjǫld skildi skjaldar skildir skjǫldu skjǫldum skjalda
byrr byr byr/byri byrjar byrir byri byrjum byrja
búkr búk búki búks búkar búka búkum búka
hestr hest hesti hests hestar hesta hestum hesta
skógr skóg skógi skógar skógar skóga skógum skóga
vǫllr vǫll velli vallar vellir vǫllu vǫllum valla
turn turn turni turns turnar turna turnum turna
borði borða borða borða borðar borða borðum borða
haukr hauk hauki hauks haukar hauka haukum hauka
litr lit lit/liti litar litir litu/liti litum lita
bandingi bandingja bandingja bandingja bandingjar bandingja bandingjum bandingja
eiðr eið eiði eiðs eiðar eiða eiðum eiða
leikr leik leik/leiki leiks leikar leika leikum leika
loði loða loða loða loðar loða loðum loða
hundr hund hundi hunds hundar hunda hundum hunda
tími tíma tíma tíma tímar tíma tímum tíma
gálgi gálga gálga gálga gálgar gálga gálgum gálga
grǫftr grǫft grepti graftar greptir grǫftu grǫftum grafta
riddari riddara riddara riddara riddarar riddara riddurum riddara
dúkr dúk dúki dúks dúkar dúka dúkum dúka
hvelpr hvelp hvelpi hvelps hvelpar hvelpa hvelpum hvelpa
draumr draum draumi draums draumar drauma draumum drauma
faðir fǫður/fǫðr fǫður/fǫðr/feðr fǫður feðr feðr feðrum feðra
skilnaðr skilnað skilnaði skilnaðar skilnaðir skilnaði skilnǫðum skilnaða
úlfr úlf úlfi úlfs úlfar úlfa úlfum úlfa
salr sal sal sals/salar salir sali sǫlum sala
álfr álf álfi álfs álfar álfa álfum álfa
hjalli hjalla hjalla hjalla - - - -
hǫgni hǫgna hǫgna hǫgna - - - -
gullhringr gullhring gullhringi gullhrings gullhringar gullhringa gullhringum gullhringa
vagn vagn vagni vagns vagnar vagna vǫgnum vagna
kostr kost kosti kostar kostir kosti kostum kosta
aldr aldr aldri aldrs aldrar aldra ǫldrum aldra
`;

const FEMININES = `
leið leið leið/leiðu leiðar leiðir leiðir leiðum leiða
hǫll hǫll hǫll/hǫllu hallar hallir hallir hǫllum halla
eik eik eik eikar eikr eikr eikum eika
skǫmm skǫmm skǫmm skammar skammir skammir skǫmmum skamma
hella hellu hellu hellu hellur hellur hellum hellna
ást ást ást/ástu ástar ástir ástir ástum ásta
orrosta orrostu orrostu orrostu orrostur orrostur orrostum orrostna
stund stund stund/stundu stundar stundir stundir stundum stunda
kona konu konu konu konur konur konum kvenna
seiðkona seiðkonu seiðkonu seiðkonu seiðkonur seiðkonur seiðkonum seiðkvenna
veizla veizlu veizlu veizlu veizlur veizlur veizlum veizlna
hǫfn hǫfn hǫfn hafnar hafnir hafnir hǫfnum hafna
skemma skemmu skemmu skemmu skemmur skemmur skemmum skemma
brynja brynju brynju brynju brynjur brynjur brynjum brynja
sœmd sœmd sœmd/sœmdu sœmdar sœmdir sœmdir sœmdum sœmda
fegrð fegrð fegrð fegrðar - - - -
virðing virðing virðingu virðingar virðingar virðingar virðingum virðinga
áhyggja áhyggju áhyggju áhyggju áhyggjur áhyggjur áhyggjum áhyggna
speki speki speki speki - - - -
hreysti hreysti hreysti hreysti - - - -
prýði prýði prýði prýði - - - -
list list list listar listir listir listum lista
blíða blíðu blíðu blíðu - - - -
eymd eymd eymd eymdar eymdir eymdir eymdum eymda
mægð mægð mægð mægðar mægðir mægðir mægðum mægða
svǫrfun svǫrfun svǫrfun svǫrfunar - - - -
heipt heipt heipt heiptar heiptir heiptir heiptum heipta
óvizka óvizku óvizku óvizku - - - -
styrjǫld styrjǫld styrjǫld styrjaldar styrjaldir styrjaldir styrjǫldum styrjalda
furða furðu furðu furðu furður furður furðum furðna
lygi lygi lygi lygi lygar lygar lygum lyga
svívirðing svívirðing svívirðingu svívirðingar svívirðingar svívirðingar svívirðingum svívirðinga
ógn ógn ógn ógnar ógnir ógnir ógnum ógna
óhamingja óhamingju óhamingju óhamingju - - - -
naðra nǫðru nǫðru nǫðru nǫðrur nǫðrur nǫðrum naðra
féván féván féván févánar - - - -
ván ván ván vánar vánir vánir vánum vána
sókn sókn sókn sóknar sóknir sóknir sóknum sókna
bœn bœn bœn bœnar bœnir bœnir bœnum bœna
hríð hríð hríð hríðar hríðir hríðir hríðum hríða
fylking fylking fylkingu fylkingar fylkingar fylkingar fylkingum fylkinga
tunga tungu tungu tungu tungur tungur tungum tungna
mær mey mey/meyju meyjar meyjar meyjar meyjum meyja
gjǫf gjǫf gjǫf gjafar gjafir gjafir gjǫfum gjafa
bára báru báru báru bárur bárur bárum bára
hefnd hefnd hefnd hefndar hefndir hefndir hefndum hefnda
vættr vætt vætti vættar vættir vættir vættum vætta
sæng sæng sæng sængr/sængar sængr/sængir sængr/sængir sængum sænga
þǫrf þǫrf þǫrf þarfar þarfir þarfir þǫrfum þarfa
steinþró steinþró steinþró steinþróar steinþrœr steinþrœr steinþróm steinþróa
kveðja kveðju kveðju kveðju kveðjur kveðjur kveðjum kveðna
hǫnd hǫnd hendi handar hendr hendr hǫndum handa
hekla heklu heklu heklu heklur heklur heklum heklna
ǫgn ǫgn ǫgn agnar agnir agnir ǫgnum agna
grímhildr grímhildi grímhildi grímhildar - - - -
`;

const NEUTERS = `
kvánfang kvánfang kvánfangi kvánfangs kvánfǫng kvánfǫng kvánfǫngum kvánfanga
herfang herfang herfangi herfangs herfǫng herfǫng herfǫngum herfanga
lið lið liði liðs lið lið liðum liða
sverð sverð sverði sverðs sverð sverð sverðum sverða
kapp kapp kappi kapps kǫpp kǫpp kǫppum kappa
mannfall mannfall mannfalli mannfalls mannfǫll mannfǫll mannfǫllum mannfalla
fé fé fé fjár fé fé fjám fjá
horn horn horni horns horn horn hornum horna
fjǫlmenni fjǫlmenni fjǫlmenni fjǫlmennis fjǫlmenni fjǫlmenni fjǫlmennum fjǫlmenna
gull gull gulli gulls gull gull gullum gulla
veðr veðr veðri veðrs veðr veðr veðrum veðra
ljós ljós ljósi ljóss ljós ljós ljósum ljósa
traust traust trausti trausts - - - -
bál bál báli báls bál bál bálum bála
vandmæli vandmæli vandmæli vandmælis vandmæli vandmæli vandmælum vandmæla
forað forað foraði foraðs foruð foruð foruðum foraða
ríki ríki ríki ríkis ríki ríki ríkjum ríkja
lén lén léni léns lén lén lénum léna
yfirlæti yfirlæti yfirlæti yfirlætis - - - -
stríð stríð stríði stríðs stríð stríð stríðum stríða
afl afl afli afls ǫfl ǫfl ǫflum afla
happ happ happi happs hǫpp hǫpp hǫppum happa
- - - - kynsl kynsl kynslum kynsla
gullstaup gullstaup gullstaupi gullstaups gullstaup gullstaup gullstaupum gullstaupa
mannspell mannspell mannspelli mannspells mannspell mannspell mannspellum mannspella
skegg skegg skeggi skeggs skegg skegg skeggjum skeggja
vápn vápn vápni vápns vápn vápn vápnum vápna
hjarta hjarta hjarta hjarta hjǫrtu hjǫrtu hjǫrtum hjartna
vín vín víni víns vín vín vínum vína
klæði klæði klæði klæðis klæði klæði klæðum klæða
orð orð orði orðs orð orð orðum orða
lof lof lofi lofs - - - -
herbergi herbergi herbergi herbergis herbergi herbergi herbergjum herbergja
ǫl ǫl ǫlvi/ǫli ǫls ǫl ǫl ǫlum ǫla
andlit andlit andliti andlits andlit andlit andlitum andlita
verk verk verki verks verk verk verkum verka
dýr dýr dýri dýrs dýr dýr dýrum dýra
auga auga auga auga augu augu augum augna
svar svar svari svars svǫr svǫr svǫrum svara
naut naut nauti nauts naut naut nautum nauta
ráð ráð ráði ráðs ráð ráð ráðum ráða
minni minni minni minnis minni minni minnum minna
fǫruneyti fǫruneyti fǫruneyti fǫruneytis fǫruneyti fǫruneyti fǫruneytum fǫruneyta
hræ hræ hrævi/hræi hræs hræ hræ hræm hræva
metorð metorð metorði metorðs metorð metorð metorðum metorða
barn barn barni barns bǫrn bǫrn bǫrnum barna
fár fár fári fárs fár fár fárum fára
mannablóð mannablóð mannablóði mannablóðs - - - -
fang fang fangi fangs fǫng fǫng fǫngum fanga
tjald tjald tjaldi tjalds tjǫld tjǫld tjǫldum tjalda
skip skip skipi skips skip skip skipum skipa
ker ker keri kers ker ker kerum kera
borðker borðker borðkeri borðkers borðker borðker borðkerum borðkera
bakfall bakfall bakfalli bakfalls bakfǫll bakfǫll bakfǫllum bakfalla
hjal hjal hjali hjals hjǫl hjǫl hjǫlum hjala
merki merki merki merkis merki merki merkjum merkja
`;

const TABLES = { masc: MASCULINES, fem: FEMININES, neut: NEUTERS } as const;

/** Suffixed article after each cell's noun form; its i falls after a vowel. */
const SUFFIX: Readonly<Partial<Record<Cell, string>>> = {
  "nom.sg.masc": "inn",
  "acc.sg.masc": "inn",
  "dat.sg.masc": "inum",
  "gen.sg.masc": "ins",
  "nom.pl.masc": "nir",
  "acc.pl.masc": "na",
  "nom.sg.fem": "in",
  "acc.sg.fem": "ina",
  "dat.sg.fem": "inni",
  "gen.sg.fem": "innar",
  "nom.pl.fem": "nar",
  "acc.pl.fem": "nar",
  "nom.sg.neut": "it",
  "acc.sg.neut": "it",
  "dat.sg.neut": "inu",
  "gen.sg.neut": "ins",
  "nom.pl.neut": "in",
  "acc.pl.neut": "in",
};

type CellIndex = ReadonlyMap<string, readonly Cell[]>;

function* declined(): Generator<readonly [form: string, cell: Cell]> {
  for (const gender of ["masc", "fem", "neut"] as const) {
    const cells = ["sg", "pl"].flatMap((number) =>
      ["nom", "acc", "dat", "gen"].map((kase) => `${kase}.${number}.${gender}` as Cell)
    );
    for (const line of TABLES[gender].trim().split("\n")) {
      for (const [index, forms] of line.split(" ").entries()) {
        const cell = cells[index];
        if (cell === undefined) {
          throw new SyntaxError(
            `Cannot decline: "${line}" has over 8 forms; mend the line in nouns.ts`,
          );
        }
        for (const form of forms.split("/")) if (form !== "-") yield [form, cell];
      }
    }
  }
}

function indexOf(pairs: Iterable<readonly [string, Cell]>): CellIndex {
  const index = new Map<string, Set<Cell>>();
  for (const [form, cell] of pairs) {
    const cells = index.get(form) ?? new Set<Cell>();
    index.set(form, cells.add(cell));
  }
  return new Map(
    [...index].map(([form, cells]) => [form, CELLS.filter((cell) => cells.has(cell))]),
  );
}

function* withArticle(): Generator<readonly [form: string, cell: Cell]> {
  for (const [form, cell] of declined()) {
    const suffix = SUFFIX[cell];
    if (suffix === undefined) continue;
    yield [form + (/[aiueáéíóúýæœø]$/u.test(form) ? suffix.replace(/^i/u, "") : suffix), cell];
  }
}

/** Every cell a bare noun form can stand in, over all nouns of the table. */
export const NOUN_CELLS: CellIndex = indexOf(declined());

/** The same for nouns with the suffixed article (hestrinn). */
export const DEFINITE_NOUN_CELLS: CellIndex = indexOf(withArticle());

/** Heads that are names or, like `konungr`, follow one: with the article they make an epithet. */
export const NAMES: ReadonlySet<string> = new Set(
  "álfi hjalla hǫgna grímhildi grímhildar grímhildr konungi konungr konung konungs".split(" "),
);
