/** Sentences and the claims to be made of them, judged by hand; `[question]` and the like first. */
export const SENTENCES: readonly (readonly [string, readonly string[]])[] = [
  ["Ada sang, and she danced.", ["Ada sang.", "Ada danced."]],
  ["Oslo is the capital of Norway, and Bergen is its second city.", [
    "Oslo is the capital of Norway.",
    "Bergen is its second city.",
  ]],
  ["The war ended in 1945; the city was rebuilt.", [
    "The war ended in 1945.",
    "The city was rebuilt.",
  ]],
  ["He sang and danced.", ["He sang.", "He danced."]],
  ["She wrote three novels and won the Booker Prize in 1999.", [
    "She wrote three novels.",
    "She won the Booker Prize in 1999.",
  ]],
  ["He was born in Kent and moved to Rome.", ["He was born in Kent.", "He moved to Rome."]],
  ["She was born in Kent and raised in Rome.", [
    "She was born in Kent.",
    "She was raised in Rome.",
  ]],
  ["Houghton started his career at Hull FC and made his debut in 2017.", [
    "Houghton started his career at Hull FC.",
    "Houghton made his debut in 2017.",
  ]],
  ["He has won two cups and played in three finals.", [
    "He has won two cups.",
    "He has played in three finals.",
  ]],
  ["The company makes cars and sells them in Europe.", [
    "The company makes cars.",
    "The company sells them in Europe.",
  ]],
  ["Norway borders Sweden and has a long coast.", [
    "Norway borders Sweden.",
    "Norway has a long coast.",
  ]],
  ["He sang, danced, and acted in films.", ["He sang.", "He danced.", "He acted in films."]],
  ["He did not win the race and lose his title.", ["He did not win the race and lose his title."]],
  ["She said that he was ill and had left the city.", [
    "She said that he was ill and had left the city.",
  ]],
  ["If it rains, the match is cancelled and the crowd goes home.", [
    "If it rains, the match is cancelled and the crowd goes home.",
  ]],
  ["The river flows between Oslo and Bergen and feeds two lakes.", [
    "The river flows between Oslo and Bergen and feeds two lakes.",
  ]],
  ["Anna and Mary were married in 1990.", ["Anna and Mary were married in 1990."]],
  ["John and Paul are twins.", ["John and Paul are twins."]],
  ["He is taller than Anna and Mary.", ["He is taller than Anna and Mary."]],
  ["Oslo, which lies on a fjord, is the capital of Norway.", [
    "Oslo is the capital of Norway.",
    "Oslo lies on a fjord.",
  ]],
  ["Marie Curie, who discovered radium, won two Nobel Prizes.", [
    "Marie Curie won two Nobel Prizes.",
    "Marie Curie discovered radium.",
  ]],
  ["He joined Fulham, which was founded in 1879.", [
    "He joined Fulham.",
    "Fulham was founded in 1879.",
  ]],
  ["The Louvre, whose pyramid was built in 1989, is in Paris.", [
    "The Louvre is in Paris.",
    "The Louvre's pyramid was built in 1989.",
  ]],
  ["He attended the University of Oslo, where he studied law.", [
    "He attended the University of Oslo.",
    "He studied law.",
  ]],
  ["Tim Fischer was an Australian politician who was born on May 3, 1946.", [
    "Tim Fischer was an Australian politician.",
    "Tim Fischer was born on May 3, 1946.",
  ]],
  ["It is a film that won three Oscars.", ["It is a film.", "It won three Oscars."]],
  ["He is the only player who won the cup twice.", [
    "He is the only player who won the cup twice.",
  ]],
  ["He saw a man who was ill.", ["He saw a man who was ill."]],
  ["The population of Norway, which is 5 million, is growing.", [
    "The population of Norway is growing.",
    "The population of Norway is 5 million.",
  ]],
  ["Paris, the capital of France, has two million inhabitants.", [
    "Paris is the capital of France.",
    "Paris has two million inhabitants.",
  ]],
  ["Alan Turing, an English mathematician, designed the machine.", [
    "Alan Turing was an English mathematician.",
    "Alan Turing designed the machine.",
  ]],
  ["She is the sister of Ada Smith, a Norwegian painter.", [
    "She is the sister of Ada Smith.",
    "Ada Smith is a Norwegian painter.",
  ]],
  ["She visited Paris, the Alps, and Rome.", ["She visited Paris, the Alps, and Rome."]],
  ["Born in Oslo, she studied law in Bergen.", [
    "She was born in Oslo.",
    "She studied law in Bergen.",
  ]],
  ["Beenie Man, born in Kingston, is a Jamaican singer.", [
    "Beenie Man was born in Kingston.",
    "Beenie Man is a Jamaican singer.",
  ]],
  ["Kyra Sedgwick is an American actress born on August 19, 1965, in New York City.", [
    "Kyra Sedgwick is an American actress.",
    "Kyra Sedgwick was born on August 19, 1965.",
    "Kyra Sedgwick was born in New York City.",
  ]],
  ["Bergen is a city located in western Norway.", [
    "Bergen is a city.",
    "Bergen is located in western Norway.",
  ]],
  ["He is an actor, best known for his role in Hamlet.", [
    "He is an actor.",
    "He is best known for his role in Hamlet.",
  ]],
  ["She was born on 1 May 1905 in Oslo, Norway.", [
    "She was born on 1 May 1905.",
    "She was born in Oslo, Norway.",
  ]],
  ["He was born in Boston, Massachusetts in 1948.", [
    "He was born in Boston, Massachusetts.",
    "He was born in 1948.",
  ]],
  ["He died on June 22, 2015, in Worcester.", [
    "He died on June 22, 2015.",
    "He died in Worcester.",
  ]],
  ["Terence Blacker is an English author and journalist.", [
    "Terence Blacker is an English author.",
    "Terence Blacker is an English journalist.",
  ]],
  ["She is a poet, singer, and actress.", [
    "She is a poet.",
    "She is a singer.",
    "She is an actress.",
  ]],
  ["He is an American film and television actor.", [
    "He is an American film and television actor.",
  ]],
  ["He is not a poet and singer.", ["He is not a poet and singer."]],
  ["He is a founder and member of the band.", ["He is a founder and member of the band."]],
  ["Kim Lee is a South Korean singer and dancer.", [
    "Kim Lee is a South Korean singer.",
    "Kim Lee is a South Korean dancer.",
  ]],
  ['His films include "Up," "Cars," and "Brave."', [
    'His films include "Up".',
    'His films include "Cars".',
    'His films include "Brave."',
  ]],
  ["She appeared in films such as Titanic, Avatar, and Aliens.", [
    "She appeared in films such as Titanic.",
    "She appeared in films such as Avatar.",
    "She appeared in films such as Aliens.",
  ]],
  ["He played for Arsenal, Chelsea, and Hull City.", [
    "He played for Arsenal.",
    "He played for Chelsea.",
    "He played for Hull City.",
  ]],
  ['Some of his works include "Alpha" and "Omega".', [
    'Some of his works include "Alpha".',
    'Some of his works include "Omega".',
  ]],
  ["He was awarded the Brownlow Medal in 2007 and the Norm Smith Medal in 2011.", [
    "He was awarded the Brownlow Medal in 2007.",
    "He was awarded the Norm Smith Medal in 2011.",
  ]],
  ["He was an advocate of civil rights and a supporter of reform.", [
    "He was an advocate of civil rights.",
    "He was a supporter of reform.",
  ]],
  ["Simon and Garfunkel were a duo.", ["Simon and Garfunkel were a duo."]],
  ['The book "War and Peace" is long.', ['The book "War and Peace" is long.']],
  ['He said "I came and saw" and left.', ['He said "I came and saw".', "He left."]],
  ["However, he won the race.", ["He won the race."]],
  ["The city has 5 million people and an area of 300 square kilometres.", [
    "The city has 5 million people and an area of 300 square kilometres.",
  ]],
  ["He may have been a spy and lived in Rome.", [
    "[hedge] He may have been a spy and lived in Rome.",
  ]],
  ["Is Oslo the capital of Norway?", ["[question] Is Oslo the capital of Norway?"]],
  ["I think Oslo is a beautiful city.", ["[opinion] I think Oslo is a beautiful city."]],
  ["Please check the date.", ["[instruction] Please check the date."]],
  ["A long list of things", ["[fragment] A long list of things."]],
  ["In May 2020, the museum reopened.", ["In May 2020, the museum reopened."]],
  ["It is believed that he was born in 1900.", [
    "[hedge] It is believed that he was born in 1900.",
  ]],
  ["Water boils at 100 degrees and freezes at 0 degrees.", [
    "Water boils at 100 degrees.",
    "Water freezes at 0 degrees.",
  ]],
  ["Not only did he win, but he also set a record.", [
    "Not only did he win, but he also set a record.",
  ]],
  ["The law was passed in 1990 and was repealed in 2001.", [
    "The law was passed in 1990.",
    "The law was repealed in 2001.",
  ]],
  ["She is known for her speed and is respected by her rivals.", [
    "She is known for her speed.",
    "She is respected by her rivals.",
  ]],
  ["He neither sang nor danced.", ["He neither sang nor danced."]],
  ["He either sang or danced.", ["He either sang or danced."]],
  ["The treaty was signed by France and Germany.", [
    "The treaty was signed by France and Germany.",
  ]],
  ["Ada Lovelace (1815–1852) was an English mathematician and wrote the first program.", [
    "Ada Lovelace (1815–1852) was an English mathematician.",
    "Ada Lovelace wrote the first program.",
  ]],
  ["In 2005, she was cast in the lead role and won an Emmy.", [
    "In 2005, she was cast in the lead role.",
    "She won an Emmy.",
  ]],
  ["He worked as a teacher because he loved children and needed money.", [
    "He worked as a teacher because he loved children and needed money.",
  ]],
  ["He tried to sing and dance.", ["He tried to sing and dance."]],
  ["The team won the cup but lost the league.", [
    "The team won the cup.",
    "The team lost the league.",
  ]],
  ["She lives in Oslo with her husband, who is a doctor.", [
    "She lives in Oslo with her husband.",
    "Her husband is a doctor.",
  ]],
  ["Rice and beans are eaten in Brazil.", ["Rice and beans are eaten in Brazil."]],
  ["The film was directed by Ann Lee and starred Tom Hanks.", [
    "The film was directed by Ann Lee and starred Tom Hanks.",
  ]],
  ['On television, he has appeared in shows such as "Law & Order," "The Sopranos," and "Lost."', [
    'On television, he has appeared in shows such as "Law & Order".',
    'He has appeared in shows such as "The Sopranos".',
    'He has appeared in shows such as "Lost."',
  ]],
  ["According to the police, he fled and hid in Rome.", [
    "According to the police, he fled and hid in Rome.",
  ]],
  ["GDP per capita was $1,600 in 2017 and $1,580 in 2018.", [
    "GDP per capita was $1,600 in 2017.",
    "GDP per capita was $1,580 in 2018.",
  ]],
  ["Norway has a population of 5.4 million and a total area of 385,207 square kilometres.", [
    "Norway has a population of 5.4 million.",
    "Norway has a total area of 385,207 square kilometres.",
  ]],
  ["Libya and Chad fought a war over the Aouzou Strip, which ended in 1987.", [
    "Libya and Chad fought a war over the Aouzou Strip, which ended in 1987.",
  ]],
  ["Its capital is Oslo, which is located on the Oslofjord.", [
    "Its capital is Oslo.",
    "Oslo is located on the Oslofjord.",
  ]],
  ["The official language is Norwegian, and the currency is the krone.", [
    "The official language is Norwegian.",
    "The currency is the krone.",
  ]],
  ["Unemployment was 3.5% in 2020 but rose to 4.6% in 2021.", [
    "Unemployment was 3.5% in 2020.",
    "Unemployment rose to 4.6% in 2021.",
  ]],
  ["Although Norway rejected membership in 1972, it is a member of the area.", [
    "Although Norway rejected membership in 1972, it is a member of the area.",
  ]],
  ["The government does not control the north and cannot collect taxes there.", [
    "The government does not control the north and cannot collect taxes there.",
  ]],
  ["The Sahara covers the north, while savanna covers the south.", [
    "The Sahara covers the north, while savanna covers the south.",
  ]],
  ["Libya fought a war between 1955 and 1966 and was defeated in 1987.", [
    "Libya fought a war between 1955 and 1966.",
    "Libya was defeated in 1987.",
  ]],
  ["He has written and directed several plays.", ["He has written and directed several plays."]],
  ["He was born and raised in Rome.", ["He was born and raised in Rome."]],
  ["She had roles in Bedtime Stories, and I Am Number Four.", [
    "She had roles in Bedtime Stories, and I Am Number Four.",
  ]],
  ['She starred in the film "Cell No. 7," and appeared in Rome.', [
    'She starred in the film "Cell No. 7".',
    "She appeared in Rome.",
  ]],
];
