/** A trait of people that a text may name. */
export type Demographic =
  | "gender"
  | "origin of name"
  | "nationality"
  | "religion"
  | "age"
  | "disability";

export const DEMOGRAPHICS: readonly Demographic[] = [
  ...["gender", "origin of name", "nationality", "religion", "age", "disability"] as const,
];

/** Words of one trait: a row has one word for each value, in the order of `values`. */
export interface DemographicTable {
  readonly values: readonly string[];
  readonly rows: readonly (readonly string[])[];
}

/**
 * Within a table no word stands twice, so that an exchange of two values undoes itself. Pronouns that
 * are written alike in two uses (her, his) are in `pronouns.ts`.
 */
export const DEMOGRAPHIC_TABLES: Readonly<Record<Exclude<Demographic, "age">, DemographicTable>> = {
  gender: {
    values: ["female", "male"],
    rows: [
      ["she", "he"],
      ["herself", "himself"],
      ["woman", "man"],
      ["women", "men"],
      ["girl", "boy"],
      ["girls", "boys"],
      ["mother", "father"],
      ["mothers", "fathers"],
      ["mum", "dad"],
      ["daughter", "son"],
      ["daughters", "sons"],
      ["sister", "brother"],
      ["sisters", "brothers"],
      ["wife", "husband"],
      ["wives", "husbands"],
      ["aunt", "uncle"],
      ["niece", "nephew"],
      ["grandmother", "grandfather"],
      ["girlfriend", "boyfriend"],
      ["queen", "king"],
      ["actress", "actor"],
      ["waitress", "waiter"],
      ["lady", "gentleman"],
      ["ladies", "gentlemen"],
      ["female", "male"],
      ["widow", "widower"],
      ["bride", "bridegroom"],
      ["Ms", "Mr"],
      ["Emily", "James"],
      ["Laura", "Peter"],
      ["Susan", "Robert"],
      ["Anna", "Thomas"],
      ["Fatima", "Ahmed"],
      ["Aisha", "Omar"],
      ["Priya", "Rahul"],
      ["Lakshmi", "Arjun"],
      ["Mei", "Wei"],
      ["Xiu", "Tao"],
      ["Ngozi", "Emeka"],
      ["Chioma", "Obinna"],
      ["Carmen", "Diego"],
      ["Lucía", "Javier"],
      ["Olga", "Dmitri"],
      ["Tatiana", "Sergei"],
    ],
  },
  "origin of name": {
    values: ["English", "Arabic", "Indian", "Chinese", "Igbo", "Spanish", "Russian"],
    rows: [
      ["Emily", "Fatima", "Priya", "Mei", "Ngozi", "Carmen", "Olga"],
      ["Laura", "Aisha", "Lakshmi", "Xiu", "Chioma", "Lucía", "Tatiana"],
      ["James", "Ahmed", "Rahul", "Wei", "Emeka", "Diego", "Dmitri"],
      ["Peter", "Omar", "Arjun", "Tao", "Obinna", "Javier", "Sergei"],
      ["Smith", "Hassan", "Sharma", "Zhang", "Okafor", "García", "Ivanov"],
      ["Johnson", "Khalil", "Patel", "Wang", "Nwosu", "Fernández", "Petrov"],
    ],
  },
  nationality: {
    values: [
      ...["German", "Nigerian", "Mexican", "Indian", "Canadian", "Russian", "Egyptian"],
      ...["Brazilian", "Kenyan", "Italian", "Indonesian", "Ukrainian"],
    ],
    rows: [
      [
        ...["German", "Nigerian", "Mexican", "Indian", "Canadian", "Russian", "Egyptian"],
        ...["Brazilian", "Kenyan", "Italian", "Indonesian", "Ukrainian"],
      ],
      [
        ...["Germans", "Nigerians", "Mexicans", "Indians", "Canadians", "Russians", "Egyptians"],
        ...["Brazilians", "Kenyans", "Italians", "Indonesians", "Ukrainians"],
      ],
      [
        ...["Germany", "Nigeria", "Mexico", "India", "Canada", "Russia", "Egypt"],
        ...["Brazil", "Kenya", "Italy", "Indonesia", "Ukraine"],
      ],
    ],
  },
  religion: {
    values: ["Christian", "Muslim", "Jewish", "Hindu", "Buddhist"],
    rows: [
      ["Christian", "Muslim", "Jewish", "Hindu", "Buddhist"],
      ["Christians", "Muslims", "Jews", "Hindus", "Buddhists"],
      ["Christianity", "Islam", "Judaism", "Hinduism", "Buddhism"],
      ["church", "mosque", "synagogue", "mandir", "vihara"],
      ["priest", "imam", "rabbi", "pandit", "lama"],
      ["Bible", "Qur’an", "Torah", "Bhagavad Gita", "Tripitaka"],
      ["Christmas", "Eid", "Passover", "Diwali", "Vesak"],
    ],
  },
  disability: {
    values: ["blind", "deaf", "autistic", "epileptic", "dyslexic"],
    rows: [
      ["blind", "deaf", "autistic", "epileptic", "dyslexic"],
      ["blindness", "deafness", "autism", "epilepsy", "dyslexia"],
    ],
  },
};

/** Words of age, the young one first. Ages in years are mirrored at 50: 25 is 75. */
export const AGE_ROWS: readonly (readonly [string, string])[] = [
  ["young", "elderly"],
  ["younger", "older"],
  ["youngest", "oldest"],
  ["teenager", "pensioner"],
  ["teenagers", "pensioners"],
];

/** A word that means something else in such company: `before` or `after` it on the same line. */
export interface OtherMeaning {
  readonly word: RegExp;
  readonly before?: RegExp;
  readonly after?: RegExp;
}

/** Languages, sayings and set phrases, which name nobody's trait. */
export const OTHER_MEANINGS: readonly OtherMeaning[] = [
  {
    word: /^(?:German|Russian|Italian|Indonesian|Ukrainian|Egyptian)$/,
    before: /\b(?:spea?ks?|spoke|spoken|speaking|learn\w*|teach\w*|taught|fluent in|in|into)\s+$/i,
  },
  { word: /^blind$/i, after: /^\s+(?:eye|spot|alley|date|faith|trust|corner|drive|tasting)/i },
  { word: /^blind$/i, before: /double[- ]$/i },
  { word: /^deaf$/i, after: /^\s+ears?\b/i },
  { word: /^queen$/i, after: /^\s+(?:bee|ant)/i },
  { word: /^king$/i, after: /^[- ](?:size|penguin|crab|cobra)/i },
  { word: /^Indian$/, after: /^\s+(?:Ocean|summer|ink)/ },
  { word: /^(?:king|man|queen|German|Smith)$/i, before: /(?:burger |isle of |hu|wo)$/i },
  { word: /^German$/, after: /^\s+shepherd/i },
  { word: /^Christian$/, after: /^\s+(?:name|era|Dior|Bale)/ },
];
