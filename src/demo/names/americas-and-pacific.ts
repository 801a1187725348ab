import { type NamePool, nameParts } from './name.ts';

export const spanish: readonly NamePool[] = [
  {
    given:
      nameParts(`Begoña, Íñigo, María José, Ángel, Ximena, Joaquín, Lucía, Óscar, Rocío, Andrés, Inés, Ramón, Belén, Julián,
      Sofía, Agustín, Noelia, Tomás, Úrsula, Nicolás`),
    family:
      nameParts(`Núñez, Peña Ortiz, García-Luengo, Muñoz, de la Cruz, Ibáñez, Yáñez Soto, Córdoba, Güell, Zúñiga, Quiñones,
      Bermúdez, Echeverría, Villalobos, Ordóñez, Cáceres, Sepúlveda`),
    order: 'given family',
  },
];

export const portuguese: readonly NamePool[] = [
  {
    given:
      nameParts(`João, Conceição, Inês, Gonçalo, Débora, Luís, Mônica, Antônio, Tainá, Otávio, Beatriz, Fabrício, Letícia,
      Caetano, Íris, Rogério, Marília, Ubirajara, Simão, Glória, Vitória, Davi, Heloísa, Estêvão`),
    family:
      nameParts(`da Conceição, Gonçalves, de Araújo, Simões, dos Santos, Guimarães, Magalhães, Brandão, Sant'Anna, Paixão,
      Peçanha, Vasconcelos, Leitão, Falcão-Reis, Mendonça, d'Ávila, Negrão, Queirós, Assunção, Bulhões`),
    order: 'given family',
  },
];

export const northAmerican: readonly NamePool[] = [
  {
    given:
      nameParts(`Avery, Brooklyn, Caleb, Dakota, Everett, Finley, Grayson, Harper, Jaylen, Keisha, Logan, Marisol, Nolan,
      Peyton, Quincy, Reagan, Shanice, Tyrell, Wyatt, Zachary, Imani, Beau, Delphine, Malik`),
    family:
      nameParts(`Abernathy, Boone, Castellano, Delacroix, Eastman, Fitzgerald, Goldberg, Holloway, Jefferson-Wu, Kowalczyk,
      Lindgren, Moreau, Nakai, O'Rourke, Pruitt, Redbird, Sandoval, Truong, Vance, Whitfield, Youngblood, Zimmermann`),
    order: 'given family',
  },
];

export const maori: readonly NamePool[] = [
  {
    given: nameParts(
      `Aroha, Wiremu, Hinewai, Tāne, Ngaio, Rāwiri, Mārama, Tāmati, Kahurangi, Pōtiki, Hēmi, Whetū, Anahera, Te Ariki`,
    ),
    family: nameParts(`Parata-Ngata, Te Rangi, Kāwhia, Wharepapa, Tūhoro, Hēnare, Rēweti, Moana, Pōmare, Tāwhara`),
    order: 'given family',
  },
];

/** The ʻokina is a letter of its own (U+02BB), not an apostrophe. */
export const hawaiian: readonly NamePool[] = [
  {
    given: nameParts(`Kaʻiulani, Keoni, Leilani, Nāmaka, Kainoa, ʻAlohi, Makoa, Hōkū`),
    family: nameParts(`Kealoha, Kaʻaʻawa, Māhoe, ʻIolani, Kahananui, Nāone`),
    order: 'given family',
  },
];
