import type { DeclensionClass } from "../../declension.ts";

/** A whole paradigm written by hand: a line a case from nominative to vocative, doublets with a slash. */
export interface GoldenParadigm {
  readonly stem: string;
  readonly class: DeclensionClass;
  readonly script: "IAST" | "Devanagari";
  readonly table: string;
}

/** Sources: Whitney, Sanskrit Grammar, §§ 330, 335–341, 364, 420–441, 522–524 (endings applied by hand). */
export const GOLDEN: readonly GoldenParadigm[] = [
  {
    stem: "deva",
    class: "a_masculine",
    script: "IAST",
    table: `
      devaḥ    devau      devāḥ
      devam    devau      devān
      devena   devābhyām  devaiḥ
      devāya   devābhyām  devebhyaḥ
      devāt    devābhyām  devebhyaḥ
      devasya  devayoḥ    devānām
      deve     devayoḥ    deveṣu
      deva     devau      devāḥ`,
  },
  {
    stem: "deva",
    class: "a_masculine",
    script: "Devanagari",
    table: `
      देवः    देवौ       देवाः
      देवम्   देवौ       देवान्
      देवेन   देवाभ्याम्  देवैः
      देवाय   देवाभ्याम्  देवेभ्यः
      देवात्  देवाभ्याम्  देवेभ्यः
      देवस्य  देवयोः     देवानाम्
      देवे    देवयोः     देवेषु
      देव     देवौ       देवाः`,
  },
  {
    stem: "phala",
    class: "a_neuter",
    script: "IAST",
    table: `
      phalam    phale       phalāni
      phalam    phale       phalāni
      phalena   phalābhyām  phalaiḥ
      phalāya   phalābhyām  phalebhyaḥ
      phalāt    phalābhyām  phalebhyaḥ
      phalasya  phalayoḥ    phalānām
      phale     phalayoḥ    phaleṣu
      phala     phale       phalāni`,
  },
  {
    stem: "phala",
    class: "a_neuter",
    script: "Devanagari",
    table: `
      फलम्   फले       फलानि
      फलम्   फले       फलानि
      फलेन   फलाभ्याम्  फलैः
      फलाय   फलाभ्याम्  फलेभ्यः
      फलात्  फलाभ्याम्  फलेभ्यः
      फलस्य  फलयोः     फलानाम्
      फले    फलयोः     फलेषु
      फल     फले       फलानि`,
  },
  {
    stem: "vidyā",
    class: "ā_feminine",
    script: "IAST",
    table: `
      vidyā     vidye       vidyāḥ
      vidyām    vidye       vidyāḥ
      vidyayā   vidyābhyām  vidyābhiḥ
      vidyāyai  vidyābhyām  vidyābhyaḥ
      vidyāyāḥ  vidyābhyām  vidyābhyaḥ
      vidyāyāḥ  vidyayoḥ    vidyānām
      vidyāyām  vidyayoḥ    vidyāsu
      vidye     vidye       vidyāḥ`,
  },
  {
    stem: "vidyā",
    class: "ā_feminine",
    script: "Devanagari",
    table: `
      विद्या     विद्ये      विद्याः
      विद्याम्    विद्ये      विद्याः
      विद्यया    विद्याभ्याम्  विद्याभिः
      विद्यायै    विद्याभ्याम्  विद्याभ्यः
      विद्यायाः   विद्याभ्याम्  विद्याभ्यः
      विद्यायाः   विद्ययोः    विद्यानाम्
      विद्यायाम्  विद्ययोः    विद्यासु
      विद्ये     विद्ये      विद्याः`,
  },
  {
    stem: "agni",
    class: "i_masculine",
    script: "IAST",
    table: `
      agniḥ   agnī       agnayaḥ
      agnim   agnī       agnīn
      agninā  agnibhyām  agnibhiḥ
      agnaye  agnibhyām  agnibhyaḥ
      agneḥ   agnibhyām  agnibhyaḥ
      agneḥ   agnyoḥ     agnīnām
      agnau   agnyoḥ     agniṣu
      agne    agnī       agnayaḥ`,
  },
  {
    stem: "muni",
    class: "i_masculine",
    script: "Devanagari",
    table: `
      मुनिः   मुनी       मुनयः
      मुनिम्  मुनी       मुनीन्
      मुनिना  मुनिभ्याम्  मुनिभिः
      मुनये   मुनिभ्याम्  मुनिभ्यः
      मुनेः   मुनिभ्याम्  मुनिभ्यः
      मुनेः   मुन्योः     मुनीनाम्
      मुनौ    मुन्योः     मुनिषु
      मुने    मुनी       मुनयः`,
  },
  {
    stem: "mati",
    class: "i_feminine",
    script: "IAST",
    table: `
      matiḥ          matī       matayaḥ
      matim          matī       matīḥ
      matyā          matibhyām  matibhiḥ
      mataye/matyai  matibhyām  matibhyaḥ
      mateḥ/matyāḥ   matibhyām  matibhyaḥ
      mateḥ/matyāḥ   matyoḥ     matīnām
      matau/matyām   matyoḥ     matiṣu
      mate           matī       matayaḥ`,
  },
  {
    stem: "vāri",
    class: "i_neuter",
    script: "IAST",
    table: `
      vāri       vāriṇī     vārīṇi
      vāri       vāriṇī     vārīṇi
      vāriṇā     vāribhyām  vāribhiḥ
      vāriṇe     vāribhyām  vāribhyaḥ
      vāriṇaḥ    vāribhyām  vāribhyaḥ
      vāriṇaḥ    vāriṇoḥ    vārīṇām
      vāriṇi     vāriṇoḥ    vāriṣu
      vāri/vāre  vāriṇī     vārīṇi`,
  },
  {
    stem: "guru",
    class: "u_masculine",
    script: "IAST",
    table: `
      guruḥ   gurū       guravaḥ
      gurum   gurū       gurūn
      guruṇā  gurubhyām  gurubhiḥ
      gurave  gurubhyām  gurubhyaḥ
      guroḥ   gurubhyām  gurubhyaḥ
      guroḥ   gurvoḥ     gurūṇām
      gurau   gurvoḥ     guruṣu
      guro    gurū       guravaḥ`,
  },
  {
    stem: "dhenu",
    class: "u_feminine",
    script: "IAST",
    table: `
      dhenuḥ          dhenū       dhenavaḥ
      dhenum          dhenū       dhenūḥ
      dhenvā          dhenubhyām  dhenubhiḥ
      dhenave/dhenvai dhenubhyām  dhenubhyaḥ
      dhenoḥ/dhenvāḥ  dhenubhyām  dhenubhyaḥ
      dhenoḥ/dhenvāḥ  dhenvoḥ     dhenūnām
      dhenau/dhenvām  dhenvoḥ     dhenuṣu
      dheno           dhenū       dhenavaḥ`,
  },
  {
    stem: "madhu",
    class: "u_neuter",
    script: "IAST",
    table: `
      madhu        madhunī     madhūni
      madhu        madhunī     madhūni
      madhunā      madhubhyām  madhubhiḥ
      madhune      madhubhyām  madhubhyaḥ
      madhunaḥ     madhubhyām  madhubhyaḥ
      madhunaḥ     madhunoḥ    madhūnām
      madhuni      madhunoḥ    madhuṣu
      madhu/madho  madhunī     madhūni`,
  },
  {
    stem: "ātman",
    class: "an_masculine",
    script: "IAST",
    table: `
      ātmā     ātmānau    ātmānaḥ
      ātmānam  ātmānau    ātmanaḥ
      ātmanā   ātmabhyām  ātmabhiḥ
      ātmane   ātmabhyām  ātmabhyaḥ
      ātmanaḥ  ātmabhyām  ātmabhyaḥ
      ātmanaḥ  ātmanoḥ    ātmanām
      ātmani   ātmanoḥ    ātmasu
      ātman    ātmānau    ātmānaḥ`,
  },
  {
    stem: "karman",
    class: "an_neuter",
    script: "Devanagari",
    table: `
      कर्म        कर्मणी     कर्माणि
      कर्म        कर्मणी     कर्माणि
      कर्मणा      कर्मभ्याम्  कर्मभिः
      कर्मणे      कर्मभ्याम्  कर्मभ्यः
      कर्मणः      कर्मभ्याम्  कर्मभ्यः
      कर्मणः      कर्मणोः    कर्मणाम्
      कर्मणि      कर्मणोः    कर्मसु
      कर्मन्/कर्म  कर्मणी     कर्माणि`,
  },
  {
    stem: "yogin",
    class: "in_masculine",
    script: "IAST",
    table: `
      yogī     yoginau    yoginaḥ
      yoginam  yoginau    yoginaḥ
      yoginā   yogibhyām  yogibhiḥ
      yogine   yogibhyām  yogibhyaḥ
      yoginaḥ  yogibhyām  yogibhyaḥ
      yoginaḥ  yoginoḥ    yoginām
      yogini   yoginoḥ    yogiṣu
      yogin    yoginau    yoginaḥ`,
  },
  {
    stem: "sarva",
    class: "pronominal_masculine",
    script: "IAST",
    table: `
      sarvaḥ     sarvau      sarve
      sarvam     sarvau      sarvān
      sarveṇa    sarvābhyām  sarvaiḥ
      sarvasmai  sarvābhyām  sarvebhyaḥ
      sarvasmāt  sarvābhyām  sarvebhyaḥ
      sarvasya   sarvayoḥ    sarveṣām
      sarvasmin  sarvayoḥ    sarveṣu
      sarva      sarvau      sarve`,
  },
  {
    stem: "sarva",
    class: "pronominal_neuter",
    script: "IAST",
    table: `
      sarvam     sarve       sarvāṇi
      sarvam     sarve       sarvāṇi
      sarveṇa    sarvābhyām  sarvaiḥ
      sarvasmai  sarvābhyām  sarvebhyaḥ
      sarvasmāt  sarvābhyām  sarvebhyaḥ
      sarvasya   sarvayoḥ    sarveṣām
      sarvasmin  sarvayoḥ    sarveṣu
      sarva      sarve       sarvāṇi`,
  },
  {
    stem: "sarvā",
    class: "pronominal_feminine",
    script: "IAST",
    table: `
      sarvā      sarve       sarvāḥ
      sarvām     sarve       sarvāḥ
      sarvayā    sarvābhyām  sarvābhiḥ
      sarvasyai  sarvābhyām  sarvābhyaḥ
      sarvasyāḥ  sarvābhyām  sarvābhyaḥ
      sarvasyāḥ  sarvayoḥ    sarvāsām
      sarvasyām  sarvayoḥ    sarvāsu
      sarve      sarve       sarvāḥ`,
  },
  {
    stem: "anya",
    class: "pronominal_neuter_in_t",
    script: "IAST",
    table: `
      anyat     anye       anyāni
      anyat     anye       anyāni
      anyena    anyābhyām  anyaiḥ
      anyasmai  anyābhyām  anyebhyaḥ
      anyasmāt  anyābhyām  anyebhyaḥ
      anyasya   anyayoḥ    anyeṣām
      anyasmin  anyayoḥ    anyeṣu
      anyat     anye       anyāni`,
  },
];
