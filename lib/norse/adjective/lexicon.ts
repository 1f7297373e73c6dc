import type { Degree, PrincipalParts } from "./paradigm.ts";

/** An adjective of the saga that has both strong and weak forms in attributive use. */
export interface Adjective {
  readonly lemma: string;
  readonly gloss: string;
  readonly degree: Degree;
  readonly parts: PrincipalParts;
}

/** Neuter -t after the stem's last consonants (Noreen, on the neuter of strong adjectives). */
function neuterOf(stem: string): string {
  if (/(?:[áéíóúýæœ]|au|ei)ð$/u.test(stem)) return stem.slice(0, -1) + "tt";
  if (/[bcdfghjklmnpqrstvxz]d$/u.test(stem) || /ð$/u.test(stem)) return stem.slice(0, -1) + "t";
  if (/[^aeiouyáéíóúýæœøǫ]t$/u.test(stem) || /tt$/u.test(stem)) return stem;
  return stem + "t";
}

/**
 * Parts of an adjective that simply adds endings. `umlauted` is the stem before -u and without an
 * ending (lang, lǫng); it is the stem itself where the root vowel is not a.
 */
export function regular(stem: string, umlauted = stem): PrincipalParts {
  // -n- assimilates the r of the ending (vænn, vænni); -r- after a consonant swallows it (vitr).
  const r = /[áéíóúýæœ]n$/u.test(stem) ? stem + "n" : /[bdfgkpt]r$/u.test(stem) ? stem : stem + "r";
  const masculine = /s$/u.test(stem) ? stem.replace(/s*$/u, "ss") : r;
  return {
    masculine,
    feminine: umlauted,
    neuter: neuterOf(stem),
    accusative: stem + "an",
    vowelStem: stem,
    umlautStem: umlauted,
    genitive: /s$/u.test(stem) ? masculine : stem + "s",
    rStem: r,
  };
}

/** Parts of a superlative in -str (mestr) or -astr (frægastr: frægust, frægustu). */
export function superlative(stem: string, umlautedRoot = stem): PrincipalParts {
  const umlauted = umlautedRoot.replace(/ast$/u, "ust");
  return { ...regular(stem, umlauted), neuter: stem };
}

/** Parts that no rule gives, in the order of `PrincipalParts`. */
function irregular(forms: string): PrincipalParts {
  const [masculine, feminine, neuter, accusative, vowelStem, umlautStem, genitive, rStem] = forms
    .split(" ");
  if (!masculine || !feminine || !neuter || !accusative) throw incomplete(forms);
  if (!vowelStem || !umlautStem || !genitive || !rStem) throw incomplete(forms);
  return {
    masculine,
    feminine,
    neuter,
    accusative,
    vowelStem,
    umlautStem,
    genitive,
    rStem,
  };
}

function incomplete(forms: string): SyntaxError {
  return new SyntaxError(
    `Cannot read principal parts: "${forms}" is not eight forms; mend the row in lexicon.ts`,
  );
}

function positive(lemma: string, gloss: string, parts: PrincipalParts): Adjective {
  return { lemma, gloss, degree: "positive", parts };
}

function highest(lemma: string, gloss: string, parts: PrincipalParts): Adjective {
  return { lemma, gloss, degree: "superlative", parts };
}

/** Adjectives whose forms follow from the stem: lemma, English, stem, umlauted stem where other. */
const REGULAR = `
ríkr powerful rík
harðr hard harð hǫrð
hvítr white hvít
langr long lang lǫng
skammr short skamm skǫmm
síðr long-hanging síð
vitr wise vitr
bitr sharp bitr
fagr fair fagr fǫgr
illr bad ill
stórr great stór
dýrr precious dýr
hvass keen hvass hvǫss
þungr heavy þung
vándr bad vánd
ungr young ung
kaldr cold kald kǫld
ágætr excellent ágæt
ágætligr excellent ágætlig
virðuligr worthy virðulig
gullligr golden gulllig
gulligr golden gullig
fríðr handsome fríð
vænn beautiful væn
rauðr red rauð
grimmr fierce grimm
frægr famous fræg
ákafligr fervent ákaflig
rangr wrong rang rǫng
sléttr level slétt
breiðr broad breið
dýrligr precious dýrlig
vegligr splendid veglig
hýnskr Hunnish hýnsk
meinsamligr harmful meinsamlig
þýðverskr German þýðversk
fullr full full
dauðr dead dauð
ónýtr useless ónýt
langæligr lasting langælig
horskr wise horsk
snarpr sharp snarp snǫrp
blautr soft blaut
flekkóttr speckled flekkótt
illiligr hideous illilig
grimmligr grim grimmlig
heimsligr foolish heimslig
sterkr strong sterk
ógurligr awful ógurlig
blauðr cowardly blauð
lauss loose laus
vitlauss witless vitlaus
reiðr angry reið
djarfr bold djarf djǫrf
gerviligr accomplished gervilig
konungligr kingly konunglig
óumræðiligr unspeakable óumræðilig
grimmhugaðr fierce-minded grimmhugað grimmhuguð
snarpeggjaðr sharp-edged snarpeggjað snarpeggjuð
endilangr end-to-end endilang endilǫng
stórlyndr high-minded stórlynd
sœmiligr honourable sœmilig
tíðr customary tíð
sárr wounded sár
feigr doomed feig
kátr merry kát
ákafr vehement ákaf ákǫf
fásénn rare fásén
gullrenndr gold-inlaid gullrennd
nefndr appointed nefnd
skyggðr polished skyggð
gylltr gilt gyllt
brynjaðr mailed brynjað brynjuð
fráneygr bright-eyed fráneyg
`;

/** Principal parts in full: lemma, English, then the eight forms of `PrincipalParts`. */
const IRREGULAR = `
mikill great mikill mikil mikit mikinn mikl mikl mikils mikill
lítill small lítill lítil lítit lítinn litl litl lítils lítill
allmikill very_great allmikill allmikil allmikit allmikinn allmikl allmikl allmikils allmikill
stórmikill huge stórmikill stórmikil stórmikit stórmikinn stórmikl stórmikl stórmikils stórmikill
jafnmikill as_great jafnmikill jafnmikil jafnmikit jafnmikinn jafnmikl jafnmikl jafnmikils jafnmikill
gamall old gamall gǫmul gamalt gamlan gaml gǫml gamals gamall
gǫfugr noble gǫfugr gǫfug gǫfugt gǫfgan gǫfg gǫfg gǫfugs gǫfugr
blóðugr bloody blóðugr blóðug blóðugt blóðgan blóðg blóðg blóðugs blóðugr
sannr true sannr sǫnn satt sannan sann sǫnn sanns sannr
illúðigr ill-natured illúðigr illúðig illúðigt illúðgan illúðg illúðg illúðigs illúðigr
harðúðigr hard-minded harðúðigr harðúðig harðúðigt harðúðgan harðúðg harðúðg harðúðigs harðúðigr
góðr good góðr góð gott góðan góð góð góðs góðr
hár high hár há hátt hávan háv háv hás hár
frœkn valiant frœkn frœkn frœknt frœknan frœkn frœkn frœkns frœknr
forn ancient forn forn fornt fornan forn forn forns fornr
digr thick digr digr digrt digran digr digr digrs digr
myrkr dark myrkr myrk myrkt myrkvan myrkv myrkv myrks myrkr
óvígr irresistible óvígr óvíg óvígt óvígjan óvígj óvígj óvígs óvígr
drukkinn drunken drukkinn drukkin drukkit drukkinn drukkn drukkn drukkins drukkinn
ákveðinn appointed ákveðinn ákveðin ákveðit ákveðinn ákveðn ákveðn ákveðins ákveðinn
fjǫlkunnigr sorcerous fjǫlkunnigr fjǫlkunnig fjǫlkunnigt fjǫlkunngan fjǫlkunng fjǫlkunng fjǫlkunnigs fjǫlkunnigr
óorðinn unhappened óorðinn óorðin óorðit óorðinn óorðn óorðn óorðins óorðinn
meinblandinn poison-mixed meinblandinn meinblandin meinblandit meinblandinn meinblandn meinblǫndn meinblandins meinblandinn
`;

/** Superlatives: lemma of the positive, English, stem, umlauted stem where -a- is in the root. */
const SUPERLATIVES = `
mikill greatest mest
góðr best bezt
illr worst verst
gamall eldest elzt
stórr greatest stœrst
ágætr most_excellent ágæzt
ágætr most_excellent ágætast
gǫfugr noblest gǫfgast gǫfgust
harðr hardest harðast hǫrðust
virðuligr worthiest virðuligast
hraustr boldest hraustast
dýrr costliest dýrst
frægr most_famous frægst
frægr most_famous frægast
fagr fairest fegrst
kurteiss most_courteous kurteisast
síðr last síðast
œðri highest œðst
efri last efst
fremri foremost fremst
nálægr next næst
sárr sorest sárast
vitr wisest vitrast
grimmr fiercest grimmast
`;

function rows(table: string): readonly (readonly string[])[] {
  return table.trim().split("\n").map((line) => line.split(" "));
}

/** Every adjective, positive and superlative, whose attributive forms the rule judges. */
export const ADJECTIVES: readonly Adjective[] = [
  ...rows(REGULAR).map(([lemma = "", gloss = "", stem = "", umlauted]) =>
    positive(lemma, gloss, regular(stem, umlauted))
  ),
  ...rows(IRREGULAR).map(([lemma = "", gloss = "", ...forms]) =>
    positive(lemma, gloss.replace("_", " "), irregular(forms.join(" ")))
  ),
  ...rows(SUPERLATIVES).map(([lemma = "", gloss = "", stem = "", umlauted]) =>
    highest(lemma, gloss.replace("_", " "), superlative(stem, umlauted))
  ),
];
