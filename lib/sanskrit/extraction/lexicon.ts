import type { DeclensionClass } from "../declension.ts";
import type { LexiconEntry } from "./lexicon_entry.ts";

/**
 * The nouns of the Gītā that stand free of sandhi at least once, in IAST by declension; a hyphen parts
 * the last member of a compound where no vowel has run together. Gender and class are the
 * dictionaries' (Monier-Williams, Apte); where two genders are good Sanskrit, the one the text shows.
 */
const STEMS: Readonly<Partial<Record<DeclensionClass, string>>> = {
  a_masculine: `
    abhyāsa abhyāsa-yoga adharma adhiyajña ahaṅkāra airāvata ananta-vijaya anta-kāla anubandha
    apāna aśvattha bandha bhakta bhakti-yoga bhavāpyaya bhoga bhāva bhīṣma bhūta-grāma
    bhūta-maheśvara bhūta-sarga bhūtaprakṛti-mokṣa bhūtaviśeṣa-saṅgha brāhmaṇa buddhi-bheda
    buddhi-saṃyoga buddhi-yoga budha citraratha daitya dama dambha darpa deha deva deva-bhoga
    devadatta deśa dhanañjaya dhanur-dhara dharma dharmasaṃsthāpanārtha dhārtarāṣṭra dhṛtarāṣṭra
    doṣa droṇa drupada-putra duḥkhasaṃyoga-viyoga dvandva dvandva-moha dveṣa dānava gajendra
    gandha gandharva guḍākeśa guṇa guṇakarma-vibhāga himālaya hṛṣīkeśa indriyārtha jana
    janādhipa jarā-maraṇa-mokṣa jayadratha jayājaya jhaṣa jvalana jñāna-dīpa jñāna-saṅga
    jñāna-yajña jñāna-yoga jāti-dharma jīva-loka kalpa-kṣaya kandarpa kapi-dhvaja karma-bandha
    karma-saṅga karma-saṅgraha karma-yoga karmaphala-saṃyoga karmaphalāsaṅga karṇa kaunteya
    keśava keśavārjuna krodha kula-dharma kula-kṣaya kuru-vṛddha kusumākara kāla kāma kāma-bhoga
    kāma-kāra kāya kṛtānta kṛṣṇa kṣatriya kṣaya kṣetra-jña lobha loka loka-maheśvara lābha
    lābhālābha mad-anugraha mad-artha mad-bhakta mad-bhāva madhu-sūdana maharṣisiddha-saṅgha
    maheśvara mahā-śaṅkha mahāratha mano-ratha manuṣya manuṣya-loka martya martya-loka
    mitra-droha mitrāri-pakṣa moha mokṣa mādhava mānava mānāpamāna māruta māsa mātula mṛga
    mṛtyusaṃsāra-sāgara nakula nara nara-puṅgava naraka narādhama narādhipa nigraha nirveda
    nivāsa niścaya nyāsa nāga nārada nāśa nṛ-loka parameśvara parigraha paripraśna pariṇāma
    pautra pauṇḍra pavana paṇavānaka-gomukha paṇḍita pitāmaha prabhava prakāśa pralaya pramāda
    pramāda-moha prasaṅga prasāda prayāṇa-kāla praṇava praṇipāta prāṇa prāṇāpāna puruṣa
    puruṣottama putra pārtha pāvaka pāñcajanya pāṇḍava pūruṣa pūrvābhyāsa ratha rathottama raṇa
    raṇa-samudyama rudra rāga-dveṣa rāma rātryāgama sac-chabda sad-bhāva sambhava sammoha
    samārambha samāsa sapatna sarga sarva-bhāva sarva-veda sarva-vṛkṣa sarva-yajña
    sarvakarmaphala-tyāga sarvaloka-maheśvara saṃnyāsa saṃśaya saṅga saṅgraha saṅgrāma saṅkara
    siddha siddha-saṅgha siṃha-nāda skanda sughoṣa-maṇipuṣpaka sukha-saṅga sura-gaṇa sva-dharma
    sva-jana svapna svarga svarga-loka syandana sādhu-bhāva sāgara sāṅkhya-yoga tyāga
    varṇa-saṅkara vaśa veda vega vijaya vināśa visarga vistara vistāra viṣāda vyāsa vāda vāsava
    vāsudeva vṛkodara yajña yama yodha yodha-mukhya yodha-vīra yoga yoga-kṣema yogeśvara
    yudhiṣṭhira ācārya āhāra īśvara śabda śama śastra-sampāta śaśi-sūrya śaśāṅka śaṅkha śiṣya
    śoka śukla śvapāka śvaśura śyāla śūdra
  `,
  a_neuter: `
    abhaya adeśa-kāla adhibhūta adhiṣṭhāna adhyātmajñāna-nityatva ajñāna amṛta asaṅga-śastra
    ayana bala bhaya bhayābhaya bhojana bhoktṛtva bhūta brahma-bhūya brahma-carya brahma-nirvāṇa
    bīja cakra citta cāpa cāturvarṇya daiva dakṣiṇāyana daśanāntara devadvijaguruprājña-pūjana
    dhana dharma-kṣetra duḥkha dvāra dyūta dāna ekatva gatāgata geha guhya guṇa-saṅkhyāna gātra
    gāṇḍīva huta hṛdaya hṛdaya-daurbalya indriya janmamṛtyujarāvyādhiduḥkhadoṣānudarśana jñāna
    jīvana kalevara karaṇa karma-bandhana karma-phala karmendriya kartṛtva kaumāra kauśala
    kilbiṣa klaibya kula kuru-kṣetra kāraṇa kāryakāraṇa-kartṛtva kāyaśiro-grīva
    kṛṣigaurakṣya-vāṇijya kṣetra loka-traya lāghava madhya mala mata mauna mitra moha-kalila
    mukha mārdava nidhana nidhāna nimitta nimitta-mātra nāsikāgra pada paritrāṇa parṇa patra
    pauruṣa pavitra phala pramāṇa pratyanīka pura puṇya puṣpa pāpa pātaka pātra pāṇḍavānīka
    pṛthaktva rahasya rasana rāja-guhya rājya rūpa sainya samatva sarva-bhūta sarva-durga
    sarva-duḥkha sarva-dvāra sarva-kilbiṣa sarva-kṣetra sarva-pāpa sarvabhūta-hita sattva satya
    saumyatva saṅkhya sparśana sthāna sukha sukha-duḥkha sukṛta sukṛta-duṣkṛta svādhyāyābhyasana
    sāmarthya sāmya sāṅkhya sūrya-sahasra sūtra tattva tattvajñānārtha-darśana toya
    trailokya-rājya tyāga-phala udapāna uttarāyaṇa vacana vairāgya vajra vaktra varṣa
    vihāraśayyāsana-bhojana viśva viṣama vākya vṛjina yauvana yoga-bala yuddha yuga ācāryopāsana
    ārjava ātmaupamya śaraṇa śarīra śastra śatrutva śauca śaurya śrotra śubhāśubha
    śītoṣṇasukha-duḥkha
  `,
  ā_feminine: `
    ahiṃsā bhāvanā bhāṣā cetanā devatā hita-kāmyā jarā karma-codanā kṛpā kṣamā
    manaḥprāṇendriya-kriyā māyā niśā niṣṭhā paridevanā prajñā prajā samatā sampratiṣṭhā samā
    sevā spṛhā vidyā yajñadānatapaḥ-kriyā yajñatapaḥ-kriyā yoga-dhāraṇā yoga-sevā śraddhā
  `,
  i_masculine: `
    ayati bṛhaspati devarṣi hari indriyāgni jñānāgni kalpādi kavi maharṣi muni prajā-pati ravi
    samādhi saṃyamāgni tejo-rāśi vāsuki vṛṣṇi yati ātmasaṃyamayogāgni
  `,
  i_feminine: `
    akīrti bhakti bhogaiśvarya-gati buddhi dhṛti durgati gati kāryākārya-vyavasthiti kīrti
    mad-bhakti mati mūrti mūḍha-yoni naiṣkarmya-siddhi nivṛtti prakṛti pravṛtti prāṇāpāna-gati
    prīti rātri sarva-yoni saṃsiddhi siddhi siddhyasiddhi sthiti stuti svar-gati sṛti vibhūti
    vyakti yoga-saṃsiddhi yoni śānti
  `,
};

/** Persons, gods, animals and peoples: who can be spoken to, so that a vocative is a reading. */
const ADDRESSABLE: ReadonlySet<string> = new Set(
  words(`
    adhiyajña airāvata ayati bhakta bhīṣma bhūta bhūta-grāma bhūta-maheśvara bhūtaviśeṣa-saṅgha
    brāhmaṇa budha bṛhaspati citraratha daitya deva devadatta devarṣi devatā dhanañjaya
    dhanur-dhara dhārtarāṣṭra dhṛtarāṣṭra droṇa drupada-putra dānava gajendra gandharva guḍākeśa
    hari himālaya hṛṣīkeśa jana janādhipa jayadratha jhaṣa kandarpa kapi-dhvaja karṇa kaunteya
    kavi keśava kuru-vṛddha kṛṣṇa kṣatriya kṣetra-jña loka-maheśvara mad-bhakta madhu-sūdana
    maharṣi maharṣisiddha-saṅgha maheśvara mahāratha manuṣya martya mitra muni mādhava mānava
    māruta mātula mṛga nakula nara nara-puṅgava narādhama narādhipa nāga nārada parameśvara
    pautra pavana paṇḍita pitāmaha prajā prajā-pati puruṣa puruṣottama putra pārtha pāvaka
    pāñcajanya pāṇḍava pūruṣa ravi rudra rāma sapatna sarva-bhūta sarvaloka-maheśvara siddha
    siddha-saṅgha skanda sura-gaṇa sva-jana viśva vyāsa vāsava vāsudeva vāsuki vṛkodara vṛṣṇi
    yama yati yodha yodha-mukhya yodha-vīra yogeśvara yudhiṣṭhira ācārya īśvara śiṣya śvapāka
    śvaśura śyāla śūdra
  `),
);

function words(text: string): readonly string[] {
  return text.split(/\s+/u).filter((word) => word !== "");
}

/** The study's lexicon of nouns. */
export const LEXICON: readonly LexiconEntry[] = Object.entries(STEMS).flatMap(([name, stems]) =>
  words(stems).map((stem) => ({
    stem,
    declension: name as DeclensionClass,
    isAddressable: ADDRESSABLE.has(stem),
  }))
);
