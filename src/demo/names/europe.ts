import { type NamePool, nameParts } from './name.ts';

export const english: readonly NamePool[] = [
  {
    given: nameParts(`Alice, Arthur, Beatrice, Callum, Charlotte, Daniel, Eleanor, Edmund, Freya, George, Harriet, Hugo,
      Imogen, Jack, Jemima, Kit, Lucy, Leonard, Martha, Nathaniel, Olivia, Oscar, Poppy, Rupert, Rosalind, Samuel,
      Sophie, Theodore, Victoria, Winifred, Rhys, Isla, Alasdair, Gwen`),
    family: nameParts(`Ashworth, Barlow, Calloway, Dunmore, Ellery, Fairbairn, Garrick, Hargreaves, Ingram, Jessop,
      Kirkby, Lockwood, Marlowe, Netherby, Oakes, Pemberton, Quigley, Ravenscroft, Sedgwick, Thistlewood, Underhill,
      Varley, Whitcombe, Yardley, Smith-Rowe, Ap Gruffydd, McAllister, MacRae, Hale-Osborne, Stott, D'Arcy, Penhaligon`),
    order: 'given family',
  },
];

export const irish: readonly NamePool[] = [
  {
    given:
      nameParts(`Aoife, Cian, Siobhán, Oisín, Niamh, Tadhg, Gráinne, Fionn, Róisín, Pádraig, Caoimhe, Ruairí, Sorcha,
      Eoin, Máire, Donnacha, Bláthnaid, Cormac, Orlaith, Séamus, Étaín, Lorcán`),
    family: nameParts(`O'Brien, O’Connell, Ní Dhomhnaill, Mac Giolla, O'Shea, Byrne, Gallagher, Fitzmaurice, Kinsella,
      O’Malley, Tierney, Devlin, Ó Súilleabháin, Nolan, McGrath, Dempsey, Lenihan, O'Hara, Brannigan, Cusack`),
    order: 'given family',
  },
];

export const french: readonly NamePool[] = [
  {
    given:
      nameParts(`Anaïs, Benoît, Camille, Cédric, Chloé, Dorothée, Édouard, Éloïse, Fabien, François, Geneviève, Hélène,
      Jean-Baptiste, Jérôme, Léa, Loïc, Maëlle, Marie-Ève, Mathieu, Noémie, Océane, Pierre-Luc, Raphaëlle, Rémi,
      Sébastien, Solène, Thérèse, Xavier, Yannick, Zoé`),
    family:
      nameParts(`Archambault, Beaulieu, Bélanger, Côté, D'Aoust, Desrosiers, Dubé, Fontaine, Gagné, Girard-Lévesque,
      Hébert, L'Écuyer, Lachance, Lefèvre, Maréchal, Mercier, Ouellet, Pelletier, Perreault, Quesnel, Roy-Tremblay,
      Saint-Cyr, Sauvé, Thériault, Vaillancourt, Villeneuve, Œuvrard, Gauthier`),
    order: 'given family',
  },
];

export const german: readonly NamePool[] = [
  {
    given: nameParts(`Anneliese, Björn, Käthe, Jürgen, Friederike, Götz, Hannelore, Jörg, Lieselotte, Matthias, Sören,
      Ulrike, Wolfgang, Zita, Änne, Clemens, Dörte, Ruprecht, Svenja, Till`),
    family: nameParts(`Weiß, Groß, Müller-Brandt, Schäfer, Böttcher, Krüger, von Aalen, Zeller, Hölderich, Nußbaum,
      Eichhorn, Fährmann, Lindqvist, Rösler, Oberthür, Pfeiffer, Strauß, Tröger, Wächter, zu Brüggen`),
    order: 'given family',
  },
];

export const dutch: readonly NamePool[] = [
  {
    given:
      nameParts(`Anouk, Bram, Daan, Eefje, Femke, Gijs, Hidde, Ilse, Jasmijn, Joris, Katelijne, Lotte, Maarten, Noor,
      Pieter, Ruben, Sanne, Thijs, Willemijn, Wouter, Zoë, Loïs`),
    family: nameParts(`van den Berg, de Vries, van 't Hof, Bakker, ter Horst, van der Meulen, Hoekstra, de Wit, Kuipers,
      Dijkstra-Vos, van Ginkel, Postma, Schouten, in 't Veld, Terpstra, Vermeer, van Loon, Brouwer, Zijlstra, Noordhoek`),
    order: 'given family',
  },
];

export const nordic: readonly NamePool[] = [
  {
    given:
      nameParts(`Åsa, Bjørn, Astrid, Søren, Ingrid, Håkon, Freja, Jørgen, Linnéa, Øyvind, Signe, Törbjörn, Maja, Kåre,
      Solveig, Anders, Päivi, Väinö, Aino, Eetu, Sirpa, Juhani`),
    family:
      nameParts(`Ångström-Lind, Bjørnstad, Dahlgren, Ekström, Fjeld, Grønvold, Hägglund, Iversen, Kjærgaard, Løvdal,
      Mäkinen, Nygård, Østergaard, Räsänen, Sjöberg, Tømmerås, Virtanen, Wåhlin, Hämäläinen, Strømme`),
    order: 'given family',
  },
];

const icelandicFathers = `Þór, Jón, Gunnar, Einar, Sigurð, Ólaf, Magnús, Björn, Stefán, Kristján, Halldór, Ragnar`;
const patronyms = (suffix: string) =>
  nameParts(
    icelandicFathers
      .split(',')
      .map((father) => `${father.trim()}${suffix}`)
      .join(','),
  );

export const icelandic: readonly NamePool[] = [
  {
    given: nameParts(`Guðrún, Sigríður, Þórdís, Ásta, Björk, Hrafnhildur, Ýr, Katrín, Elín, Ragnheiður, Æsa, Dagný`),
    family: patronyms('sdóttir'),
    order: 'given family',
  },
  {
    given: nameParts(`Árni, Þorsteinn, Snæbjörn, Hákon, Óðinn, Guðmundur, Ísak, Kári, Ævar, Bjarki, Sölvi, Trausti`),
    family: patronyms('sson'),
    order: 'given family',
  },
];

export const estonian: readonly NamePool[] = [
  {
    given:
      nameParts(`Kaja, Ülle, Tõnu, Õie, Rasmus, Maarja-Liis, Jüri, Kärt, Märt, Piret, Siim, Tiiu, Urmas, Veiko, Ädu,
      Liisa, Indrek, Hele-Riin, Priit, Anneli, Taavi, Merike, Kristjan, Reet, Ott, Laine, Villem, Eha, Madis, Sigrid`),
    family: nameParts(`Põldmaa, Tamm, Mägi, Kõiv, Rebane, Õunapuu, Lääne, Kuusk, Pärn, Sõber, Jõgi, Vaher, Ööbik, Teder,
      Kütt, Saar, Raudsepp, Laanemets, Härma, Künnapas, Ilves, Kivimäe, Roosileht, Toom, Lõhmus, Männik, Uibo, Vällo`),
    order: 'given family',
  },
];

export const polish: readonly NamePool[] = [
  {
    given: nameParts(`Agnieszka, Bożena, Grażyna, Kinga, Łucja, Małgorzata, Zofia, Żaneta, Elżbieta, Jagoda, Katarzyna,
      Paulina, Iwona, Hanna, Weronika, Róża`),
    family:
      nameParts(`Kowalska, Wiśniewska, Dąbrowska, Zielińska, Szymańska, Woźniak, Jabłońska, Król, Wróbel, Głowacka,
      Śliwińska, Żurawska, Kaczmarek-Nowicka, Ćwiklińska, Sikorska`),
    order: 'given family',
  },
  {
    given:
      nameParts(`Andrzej, Bartłomiej, Grzegorz, Łukasz, Michał, Paweł, Przemysław, Rafał, Stanisław, Wojciech, Zbigniew,
      Maciej, Kamil, Tomasz, Jędrzej, Mikołaj`),
    family:
      nameParts(`Kowalski, Wiśniewski, Dąbrowski, Zieliński, Szymański, Woźniak, Jabłoński, Król, Wróbel, Głowacki,
      Śliwiński, Żurawski, Gołąb, Ćwikliński, Sikorski`),
    order: 'given family',
  },
];

export const ukrainian: readonly NamePool[] = [
  {
    given:
      nameParts(`Олена=olena, Ірина=iryna, Наталія=nataliia, Оксана=oksana, Соломія=solomiia, Дарина=daryna, Юлія=yuliia,
      Ганна=hanna, Зоряна=zoriana, Катерина=kateryna, Богдана=bohdana, Віра=vira, Андрій=andrii, Тарас=taras,
      Мар'ян=marian, Остап=ostap, Ярослав=yaroslav, Дмитро=dmytro, Богдан=bohdan, Ігор=ihor, Лев=lev, Назар=nazar`),
    family: nameParts(`Шевчук=shevchuk, Бондаренко=bondarenko, Ткаченко=tkachenko, Кравець=kravets, Лисенко=lysenko,
      Мороз=moroz, Савчук=savchuk, Гнатюк=hnatiuk, Марченко=marchenko, Литвин=lytvyn, В'юн=viun, Дзюба=dziuba,
      Яремчук=yaremchuk, Коваль=koval, Зінченко=zinchenko, Поліщук=polishchuk, Щербак=shcherbak, Їжак=yizhak`),
    order: 'given family',
  },
];

export const russian: readonly NamePool[] = [
  {
    given: nameParts(`Анастасия=anastasia, Вера=vera, Екатерина=ekaterina, Людмила=lyudmila, Марина=marina, Ольга=olga,
      Светлана=svetlana, Татьяна=tatiana, Юлия=yulia, Полина=polina, Алёна=alyona, Жанна=zhanna`),
    family: nameParts(`Иванова=ivanova, Кузнецова=kuznetsova, Соловьёва=solovyova, Морозова=morozova, Зайцева=zaitseva,
      Белова=belova, Тихонова=tikhonova, Щукина=shchukina, Орлова=orlova, Ершова=yershova, Лебедева=lebedeva`),
    order: 'given family',
  },
  {
    given: nameParts(`Алексей=aleksei, Борис=boris, Виктор=viktor, Глеб=gleb, Егор=yegor, Илья=ilya, Кирилл=kirill,
      Максим=maksim, Николай=nikolai, Пётр=pyotr, Фёдор=fyodor, Юрий=yuri`),
    family:
      nameParts(`Иванов=ivanov, Кузнецов=kuznetsov, Соловьёв=solovyov, Морозов=morozov, Зайцев=zaitsev, Белов=belov,
      Тихонов=tikhonov, Щукин=shchukin, Орлов=orlov, Ершов=yershov, Лебедев=lebedev`),
    order: 'given family',
  },
];

export const greek: readonly NamePool[] = [
  {
    given: nameParts(`Ελένη=eleni, Γιώργος=giorgos, Κατερίνα=katerina, Δημήτρης=dimitris, Αθηνά=athina, Νίκος=nikos,
      Ξένια=xenia, Θανάσης=thanasis, Ιωάννα=ioanna, Σπύρος=spyros, Χρύσα=chrysa, Πέτρος=petros, Ήρα=ira, Άρης=aris`),
    family: nameParts(`Λεβέντη=leventi, Μαύρου=mavrou, Καλογήρου=kalogirou, Ψαρρού=psarrou, Κουρή=kouri, Ζερβού=zervou,
      Βλάχου=vlachou, Αυγέρη=avgeri, Πολίτη=politi, Ξύδη=xydi, Τσακίρη=tsakiri, Χατζή=chatzi`),
    order: 'given family',
  },
];

export const hungarian: readonly NamePool[] = [
  {
    given: nameParts(
      `Eszter, Dóra, Zsófia, Gergő, Ödön, Réka, Balázs, Csilla, Ágnes, Lőrinc, Szabolcs, Tünde, Bence, Ildikó`,
    ),
    family: nameParts(
      `Nagy, Kovács, Tóth, Szűcs, Győri, Őri, Hegedűs, Kertész, Vörös, Bárány, Fekete-Sós, Zsoldos, Lukács`,
    ),
    order: 'family given',
  },
];

export const turkish: readonly NamePool[] = [
  {
    given: nameParts(
      `Ayşe, İbrahim, Çağla, Ömer, Gülşen, Işıl, Oğuz, Şebnem, Ümit, Zeynep, Barış, Elif, Yiğit, Tuğba, Efe`,
    ),
    family: nameParts(
      `Yıldırım, Öztürk, Çelik, Şahin, Kılıç, Güneş, Doğan, Aydın, Işık, Karabıyık, Ünal, Taş, Erdoğmuş, Sağlam`,
    ),
    order: 'given family',
  },
];
