import type { SeededRandom } from './seeded-random.ts';

/**
 * Given names / family names | the next pool, in plain letters after `=` for scripts that no rule turns into them. A culture whose
 * family names follow the gender of the given name has two pools; where single names are the custom there is no
 * family name. 𠮷 lies outside the basic plane.
 */
const namePools = {
  arabic: `ليلى=layla, عمر=omar, فاطمة=fatima, يوسف=yusuf, نور=nour, خالد=khaled, مريم=maryam, طارق=tariq, هدى=huda,
    سامي=sami, زينب=zaynab / الحداد=al-haddad, المصري=al-masri, الشامي=al-shami, منصور=mansour, الخطيب=al-khatib,
    ناصر=nasser, البغدادي=al-baghdadi, عبد الله=abdallah, الفارسي=al-farsi, حجازي=hijazi`,
  chinese: `伟=wei, 芳=fang, 秀英=xiuying, 小明=xiaoming, 静怡=jingyi, 子涵=zihan, 雨桐=yutong, 浩然=haoran, 欣妍=xinyan, 志强=zhiqiang,
    思远=siyuan / 王=wang, 李=li, 张=zhang, 刘=liu, 陈=chen, 杨=yang, 赵=zhao, 黄=huang, 周=zhou, 吴=wu`,
  dutch: `Anouk, Bram, Daan, Eefje, Femke, Gijs, Hidde, Ilse, Jasmijn, Joris, Katelijne, Lotte, Maarten, Noor /
    van den Berg, de Vries, van 't Hof, Bakker, ter Horst, van der Meulen, Hoekstra, de Wit, Kuipers, Dijkstra-Vos,
    van Ginkel, Postma, Schouten`,
  english: `Alice, Arthur, Beatrice, Callum, Charlotte, Daniel, Eleanor, Edmund, Freya, George, Harriet, Hugo, Imogen,
    Jack / Ashworth, Barlow, Calloway, Dunmore, Ellery, Fairbairn, Garrick, Hargreaves, Ingram, Jessop, Kirkby,
    Lockwood, Marlowe`,
  estonian: `Kaja, Ülle, Tõnu, Õie, Rasmus, Maarja-Liis, Jüri, Kärt, Märt, Piret, Siim, Tiiu, Urmas, Veiko / Põldmaa,
    Tamm, Mägi, Kõiv, Rebane, Õunapuu, Lääne, Kuusk, Pärn, Sõber, Jõgi, Vaher, Ööbik`,
  french: `Anaïs, Benoît, Camille, Cédric, Chloé, Dorothée, Édouard, Éloïse, Fabien, François, Geneviève, Hélène,
    Jean-Baptiste, Jérôme / Archambault, Beaulieu, Bélanger, Côté, D'Aoust, Desrosiers, Dubé, Fontaine, Gagné,
    Girard-Lévesque, Hébert, L'Écuyer, Lachance`,
  german: `Anneliese, Björn, Käthe, Jürgen, Friederike, Götz, Hannelore, Jörg, Lieselotte, Matthias, Sören, Ulrike,
    Wolfgang, Zita / Weiß, Groß, Müller-Brandt, Schäfer, Böttcher, Krüger, von Aalen, Zeller, Hölderich, Nußbaum,
    Eichhorn, Fährmann, Lindqvist`,
  greek: `Ελένη=eleni, Γιώργος=giorgos, Κατερίνα=katerina, Δημήτρης=dimitris, Αθηνά=athina, Νίκος=nikos, Ξένια=xenia,
    Θανάσης=thanasis, Ιωάννα=ioanna, Σπύρος=spyros, Χρύσα=chrysa / Λεβέντη=leventi, Μαύρου=mavrou,
    Καλογήρου=kalogirou, Ψαρρού=psarrou, Κουρή=kouri, Ζερβού=zervou, Βλάχου=vlachou, Αυγέρη=avgeri, Πολίτη=politi,
    Ξύδη=xydi`,
  hindi: `प्रिया=priya, अर्जुन=arjun, सुनीता=sunita, राहुल=rahul, नेहा=neha, विवेक=vivek, कविता=kavita, मोहन=mohan,
    दीपिका=deepika / शर्मा=sharma, वर्मा=verma, गुप्ता=gupta, मिश्रा=mishra, यादव=yadav, जोशी=joshi,
    त्रिपाठी=tripathi, चौहान=chauhan`,
  indian: `Aarav, Ananya, Devika, Farhan, Gauri, Harish, Ishaan, Jyoti, Kavya, Lakshmi, Meera, Nikhil, Ojas, Pallavi /
    Agarwal, Banerjee, Chatterjee, Deshpande, Gokhale, Iyer, Joshi, Kulkarni, Mehta, Nair, Patwardhan, Rao, Shah`,
  indonesian: `Wulandari, Sugiharto, Setyawati, Budiono, Kartini, Prasetyo, Yuliana, Hartanto, Rahayu, Supriyadi,
    Cahyono, Pertiwi, Wibowo, Lestari`,
  irish: `Aoife, Cian, Siobhán, Oisín, Niamh, Tadhg, Gráinne, Fionn, Róisín, Pádraig, Caoimhe, Ruairí, Sorcha, Eoin /
    O'Brien, O’Connell, Ní Dhomhnaill, Mac Giolla, O'Shea, Byrne, Gallagher, Fitzmaurice, Kinsella, O’Malley, Tierney,
    Devlin, Ó Súilleabháin`,
  japanese: `陽菜=hina, 翔太=shota, さくら=sakura, 大輔=daisuke, 美咲=misaki, 健太郎=kentaro, 結衣=yui, 蓮=ren, 葵=aoi, 直樹=naoki,
    七海=nanami / 佐藤=sato, 鈴木=suzuki, 高橋=takahashi, 田中=tanaka, 渡邉=watanabe, 伊藤=ito, 山本=yamamoto, 中村=nakamura,
    小林=kobayashi, 加藤=kato`,
  kenyan: `Wanjiru, Otieno, Achieng, Kamau, Nyambura, Kiprop, Makena, Juma, Chebet, Mwangi, Akinyi, Barasa, Zawadi,
    Njeri / wa Githinji, Odhiambo, Kariuki, Ng'ang'a, Wekesa, Mutua, Cheruiyot, Onyango, Ndung'u, Kimani, Auma, Rotich`,
  korean: `서연=seoyeon, 민준=minjun, 지우=jiwoo, 하은=haeun, 도윤=doyun, 수빈=subin, 예준=yejun, 지민=jimin, 현우=hyunwoo, 유진=yujin,
    은지=eunji / 김=kim, 이=lee, 박=park, 최=choi, 정=jung, 강=kang, 조=cho, 윤=yoon, 장=jang, 임=lim`,
  maori: `Aroha, Wiremu, Hinewai, Tāne, Ngaio, Rāwiri, Mārama, Tāmati, Kahurangi, Pōtiki, Hēmi, Whetū, Anahera,
    Te Ariki / Parata-Ngata, Te Rangi, Kāwhia, Wharepapa, Tūhoro, Hēnare, Rēweti, Moana, Pōmare, Tāwhara`,
  nigerian: `Adébọ́lá, Chidinma, Oluwaseun, Ngozi, Táíwò, Kẹ́hìndé, Ifeanyi, Folákẹ́, Emeka, Títílayọ̀, Obinna,
    Yétúndé, Chukwuemeka, Aisha / Adéyẹmí, Okonkwo, Balógun, Eze, Ògúnlẹ́sì, Nwosu, Akíntọ́lá, Ibrahim, Obi, Ọláwálé,
    Umeh, Bello, Chukwu`,
  nordic: `Åsa, Bjørn, Astrid, Søren, Ingrid, Håkon, Freja, Jørgen, Linnéa, Øyvind, Signe, Törbjörn, Maja, Kåre /
    Ångström-Lind, Bjørnstad, Dahlgren, Ekström, Fjeld, Grønvold, Hägglund, Iversen, Kjærgaard, Løvdal, Mäkinen,
    Nygård, Østergaard`,
  polish: `Agnieszka, Bożena, Grażyna, Kinga, Łucja, Małgorzata, Zofia, Żaneta, Elżbieta / Kowalska, Wiśniewska,
    Dąbrowska, Zielińska, Szymańska, Woźniak, Jabłońska, Król, Wróbel | Andrzej, Bartłomiej, Grzegorz, Łukasz, Michał,
    Paweł, Przemysław, Rafał, Stanisław / Kowalski, Wiśniewski, Dąbrowski, Zieliński, Szymański, Woźniak, Jabłoński,
    Król, Wróbel`,
  portuguese: `João, Conceição, Inês, Gonçalo, Débora, Luís, Mônica, Antônio, Tainá, Otávio, Beatriz, Fabrício,
    Letícia, Caetano / da Conceição, Gonçalves, de Araújo, Simões, dos Santos, Guimarães, Magalhães, Brandão,
    Sant'Anna, Paixão, Peçanha, Vasconcelos, Leitão`,
  russian: `Анастасия=anastasia, Вера=vera, Екатерина=ekaterina, Людмила=lyudmila, Марина=marina, Ольга=olga,
    Светлана=svetlana, Татьяна=tatiana, Юлия=yulia / Иванова=ivanova, Кузнецова=kuznetsova, Соловьёва=solovyova,
    Морозова=morozova, Зайцева=zaitseva, Белова=belova, Тихонова=tikhonova, Щукина=shchukina, Орлова=orlova
    | Алексей=aleksei, Борис=boris, Виктор=viktor, Глеб=gleb, Егор=yegor, Илья=ilya, Кирилл=kirill, Максим=maksim,
    Николай=nikolai / Иванов=ivanov, Кузнецов=kuznetsov, Соловьёв=solovyov, Морозов=morozov, Зайцев=zaitsev,
    Белов=belov, Тихонов=tikhonov, Щукин=shchukin, Орлов=orlov`,
  spanish: `Begoña, Íñigo, María José, Ángel, Ximena, Joaquín, Lucía, Óscar, Rocío, Andrés, Inés, Ramón, Belén,
    Julián / Núñez, Peña Ortiz, García-Luengo, Muñoz, de la Cruz, Ibáñez, Yáñez Soto, Córdoba, Güell, Zúñiga,
    Quiñones, Bermúdez, Echeverría`,
  tamil: `Karthik, Thamizhselvi, Senthil, Kayalvizhi, Arulmozhi, Ilango, Poongodi, Murugan, Nilavan, Yazhini, Kabilan,
    Malarvizhi, Ezhil, Vetrivel`,
  turkish: `Ayşe, İbrahim, Çağla, Ömer, Gülşen, Işıl, Oğuz, Şebnem, Ümit, Zeynep, Barış, Elif, Yiğit, Tuğba /
    Yıldırım, Öztürk, Çelik, Şahin, Kılıç, Güneş, Doğan, Aydın, Işık, Karabıyık, Ünal, Taş, Erdoğmuş`,
  ukrainian: `Олена=olena, Ірина=iryna, Наталія=nataliia, Оксана=oksana, Соломія=solomiia, Дарина=daryna, Юлія=yuliia,
    Ганна=hanna, Зоряна=zoriana, Катерина=kateryna, Богдана=bohdana / Шевчук=shevchuk, Бондаренко=bondarenko,
    Ткаченко=tkachenko, Кравець=kravets, Лисенко=lysenko, Мороз=moroz, Савчук=savchuk, Гнатюк=hnatiuk,
    Марченко=marchenko, Литвин=lytvyn`,
  vietnamese: `Thị Lan, Văn Hùng, Minh Châu, Đức Anh, Thu Hà, Quốc Bảo, Ngọc Ánh, Hữu Phước, Thanh Tâm, Gia Hân,
    Tuấn Kiệt, Bích Ngọc, Hoàng Long, Mỹ Duyên / Nguyễn, Trần, Lê, Phạm, Huỳnh, Vũ, Đặng, Bùi, Đỗ, Hồ, Ngô, Dương, Lý`,
} as const satisfies Readonly<Record<string, string>>;

export type Culture = keyof typeof namePools;

/** Where the family name comes first, and what stands between the two. */
const familyFirst: Partial<Record<Culture, string>> = {
  chinese: '',
  japanese: ' ',
  korean: '',
  vietnamese: ' ',
};

/** A name as the person writes it, and in the plain letters that addresses and logins are made of. */
export interface PersonName {
  readonly written: string;
  readonly given: string;
  /** Empty for people with a single name. */
  readonly family: string;
  /** A family name that the person could have had before; absent where there is none. */
  readonly formerFamily?: string;
}

/** Letters that have no accent to take off. */
const otherLetters = new Map(
  'ø=o ł=l đ=d ð=d þ=th ß=ss æ=ae œ=oe ı=i'.split(' ').map((pair) => pair.split('=') as [string, string]),
);

/** The letters an email address is made of: without accents, apostrophes and spaces, but with hyphens. */
const plainLetters = (written: string): string =>
  [...written.toLowerCase().normalize('NFD')]
    .map((letter) => otherLetters.get(letter) ?? letter)
    .join('')
    .replace(/[^a-z-]/g, '');

const partsOf = (text: string) =>
  text.split(',').map((entry) => {
    const [written = '', plain] = entry.trim().split('=');
    return { written, plain: plain ?? plainLetters(written) };
  });

const pools = new Map(
  Object.entries(namePools).map(([culture, text]) => {
    const lists = text.replace(/\s+/g, ' ').split('|');
    const named = lists.map((pool) => pool.split(' / ').map(partsOf));
    return [culture, named.map(([given = [], family = []]) => ({ given, family }))];
  }),
);

const maxDraws = 12;

/**
 * A name that nobody has yet, where possible. Where given names come first, people who share theirs with a colleague
 * add a second one. Elsewhere that is not done, and in the largest organisations some do have the same name.
 */
export function drawName(random: SeededRandom, culture: Culture, taken: ReadonlySet<string>): PersonName {
  for (let draw = 1; ; draw += 1) {
    const pool = random.pick(pools.get(culture) ?? []);
    const separator = familyFirst[culture];
    const given = random.pick(pool.given);
    const second = draw > maxDraws / 2 && separator === undefined ? random.pick(pool.given) : given;
    const givenNames = second === given ? given.written : `${given.written} ${second.written}`;
    let name: PersonName = { written: givenNames, given: given.plain, family: second === given ? '' : second.plain };
    if (pool.family.length > 0) {
      const [family, former] = [random.pick(pool.family), random.pick(pool.family)];
      const written =
        separator === undefined ? `${givenNames} ${family.written}` : family.written + separator + givenNames;
      name = { written, given: given.plain, family: family.plain };
      if (former !== family) name = { ...name, formerFamily: former.plain };
    }
    if (draw === maxDraws || !taken.has(name.written)) return name;
  }
}
