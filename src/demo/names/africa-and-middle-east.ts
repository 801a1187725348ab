import { type NamePool, nameParts } from './name.ts';

export const nigerian: readonly NamePool[] = [
  {
    given:
      nameParts(`Adébọ́lá, Chidinma, Oluwaseun, Ngozi, Táíwò, Kẹ́hìndé, Ifeanyi, Folákẹ́, Emeka, Títílayọ̀, Obinna, Yétúndé,
      Chukwuemeka, Aisha, Bọ́lánlé, Somtochukwu, Zainab, Dámilọ́lá, Uche, Amarachi`),
    family:
      nameParts(`Adéyẹmí, Okonkwo, Balógun, Eze, Ògúnlẹ́sì, Nwosu, Akíntọ́lá, Ibrahim, Obi, Ọláwálé, Umeh, Bello, Chukwu,
      Fáṣọlá, Danjuma, Nnamdi-Eke, Ṣówándé-Cole, Okafor, Yusuf, Anyanwu`),
    order: 'given family',
  },
];

export const kenyan: readonly NamePool[] = [
  {
    given: nameParts(
      `Wanjiru, Otieno, Achieng, Kamau, Nyambura, Kiprop, Makena, Juma, Chebet, Mwangi, Akinyi, Barasa, Zawadi, Njeri`,
    ),
    family: nameParts(
      `wa Githinji, Odhiambo, Kariuki, Ng'ang'a, Wekesa, Mutua, Cheruiyot, Onyango, Ndung'u, Kimani, Auma, Rotich`,
    ),
    order: 'given family',
  },
];

export const ethiopian: readonly NamePool[] = [
  {
    given: nameParts(`ሰላም=selam, አበበ=abebe, ትዕግስት=tigist, ዳዊት=dawit, ሃና=hana, ዮናስ=yonas, መሰረት=meseret, ቃልኪዳን=kalkidan`),
    family: nameParts(`ተስፋዬ=tesfaye, ገብረ=gebre, ወልደ=wolde, ኃይሉ=hailu, መኮንን=mekonnen, አለሙ=alemu, በቀለ=bekele`),
    order: 'given family',
  },
];

export const arabic: readonly NamePool[] = [
  {
    given:
      nameParts(`ليلى=layla, عمر=omar, فاطمة=fatima, يوسف=yusuf, نور=nour, خالد=khaled, مريم=maryam, طارق=tariq, هدى=huda, سامي=sami,
      زينب=zaynab, حسن=hassan, رنا=rana, كريم=karim, سلمى=salma, بلال=bilal`),
    family: nameParts(`الحداد=al-haddad, المصري=al-masri, الشامي=al-shami, منصور=mansour, الخطيب=al-khatib, ناصر=nasser,
      البغدادي=al-baghdadi, عبد الله=abdallah, الفارسي=al-farsi, حجازي=hijazi, زيدان=zaydan, النجار=al-najjar`),
    order: 'given family',
  },
];

export const hebrew: readonly NamePool[] = [
  {
    given: nameParts(`נועה=noa, איתן=eitan, תמר=tamar, יונתן=yonatan, שירה=shira, אורי=uri, מיכל=michal, גיל=gil`),
    family: nameParts(
      `לוי=levi, פרץ=peretz, אבידן=avidan, שחר=shahar, גולן=golan, בן-עמי=ben-ami, רוזן=rosen, אלמוג=almog`,
    ),
    order: 'given family',
  },
];

export const persian: readonly NamePool[] = [
  {
    given: nameParts(
      `شیرین=shirin, آرش=arash, نیلوفر=niloufar, کاوه=kaveh, پریسا=parisa, بهرام=bahram, گلناز=golnaz, سینا=sina`,
    ),
    family: nameParts(
      `رستمی=rostami, کاظمی=kazemi, نوری=nouri, شیرازی=shirazi, فرهادی=farhadi, جعفری=jafari, یزدانی=yazdani`,
    ),
    order: 'given family',
  },
];
