import { type NamePool, nameParts } from './name.ts';

export const chinese: readonly NamePool[] = [
  {
    given:
      nameParts(`伟=wei, 芳=fang, 秀英=xiuying, 小明=xiaoming, 静怡=jingyi, 子涵=zihan, 雨桐=yutong, 浩然=haoran, 欣妍=xinyan,
      志强=zhiqiang, 思远=siyuan, 梓萱=zixuan, 建国=jianguo, 晓燕=xiaoyan, 宇航=yuhang, 佳琪=jiaqi, 文博=wenbo, 若曦=ruoxi,
      明轩=mingxuan, 丽=li, 诗涵=shihan, 海燕=haiyan, 一诺=yinuo, 天佑=tianyou`),
    family:
      nameParts(`王=wang, 李=li, 张=zhang, 刘=liu, 陈=chen, 杨=yang, 赵=zhao, 黄=huang, 周=zhou, 吴=wu, 徐=xu, 孙=sun, 胡=hu,
      朱=zhu, 高=gao, 林=lin, 何=he, 郭=guo, 马=ma, 罗=luo, 欧阳=ouyang, 司徒=situ`),
    order: 'familygiven',
  },
];

/** 𠮷田 is how some families write Yoshida: its first character lies outside the basic plane, two UTF-16 units long. */
export const japanese: readonly NamePool[] = [
  {
    given:
      nameParts(`陽菜=hina, 翔太=shota, さくら=sakura, 大輔=daisuke, 美咲=misaki, 健太郎=kentaro, 結衣=yui, 蓮=ren, 葵=aoi, 直樹=naoki,
      七海=nanami, 悠斗=yuto, 千尋=chihiro, 誠=makoto, 花音=kanon, 隼人=hayato, みなみ=minami, 航平=kohei, 凛=rin, 拓海=takumi`),
    family:
      nameParts(`佐藤=sato, 鈴木=suzuki, 高橋=takahashi, 田中=tanaka, 渡邉=watanabe, 伊藤=ito, 山本=yamamoto, 中村=nakamura,
      小林=kobayashi, 加藤=kato, 𠮷田=yoshida, 山崎=yamazaki, 森=mori, 池田=ikeda, 橋本=hashimoto, 石川=ishikawa, 前田=maeda,
      藤田=fujita, 後藤=goto, 長谷川=hasegawa, 五十嵐=igarashi, 小鳥遊=takanashi`),
    order: 'family given',
  },
];

export const korean: readonly NamePool[] = [
  {
    given:
      nameParts(`서연=seoyeon, 민준=minjun, 지우=jiwoo, 하은=haeun, 도윤=doyun, 수빈=subin, 예준=yejun, 지민=jimin, 현우=hyunwoo,
      유진=yujin, 은지=eunji, 태현=taehyun, 가영=gayoung, 성민=sungmin, 다은=daeun, 준호=junho, 나래=narae, 빛나=bitna`),
    family:
      nameParts(`김=kim, 이=lee, 박=park, 최=choi, 정=jung, 강=kang, 조=cho, 윤=yoon, 장=jang, 임=lim, 한=han, 오=oh, 서=seo, 신=shin,
      남궁=namgung, 황보=hwangbo`),
    order: 'familygiven',
  },
];

export const vietnamese: readonly NamePool[] = [
  {
    given: nameParts(`Thị Lan, Văn Hùng, Minh Châu, Đức Anh, Thu Hà, Quốc Bảo, Ngọc Ánh, Hữu Phước, Thanh Tâm, Gia Hân,
      Tuấn Kiệt, Bích Ngọc, Hoàng Long, Mỹ Duyên, Đình Khôi, Kim Oanh, Xuân Trường, Diễm Quỳnh`),
    family: nameParts(`Nguyễn, Trần, Lê, Phạm, Huỳnh, Vũ, Đặng, Bùi, Đỗ, Hồ, Ngô, Dương, Lý, Phan, Trịnh, Đoàn`),
    order: 'family given',
  },
];

export const indian: readonly NamePool[] = [
  {
    given:
      nameParts(`Aarav, Ananya, Devika, Farhan, Gauri, Harish, Ishaan, Jyoti, Kavya, Lakshmi, Meera, Nikhil, Ojas, Pallavi,
      Qasim, Rohit, Sanjana, Tanvi, Uday, Vikram, Yamini, Zubin, Aditi, Bhavesh, Chitra, Dhruv, Esha, Girish`),
    family:
      nameParts(`Agarwal, Banerjee, Chatterjee, Deshpande, Gokhale, Iyer, Joshi, Kulkarni, Mehta, Nair, Patwardhan, Rao,
      Shah, Trivedi, Upadhyay, Venkataraman, Wadhwa, Khan, D'Souza, Fernandes-Pinto, Mukherjee, Raghunathan, Bose, Sethi`),
    order: 'given family',
  },
];

/** Some sign in their own script. */
export const hindi: readonly NamePool[] = [
  {
    given: nameParts(
      `प्रिया=priya, अर्जुन=arjun, सुनीता=sunita, राहुल=rahul, नेहा=neha, विवेक=vivek, कविता=kavita, मोहन=mohan, दीपिका=deepika`,
    ),
    family: nameParts(
      `शर्मा=sharma, वर्मा=verma, गुप्ता=gupta, मिश्रा=mishra, यादव=yadav, जोशी=joshi, त्रिपाठी=tripathi, चौहान=chauhan`,
    ),
    order: 'given family',
  },
];

/** Single names: a family name is no custom here, and the initial of the father's name is often left out. */
export const tamil: readonly NamePool[] = [
  {
    given:
      nameParts(`Karthik, Thamizhselvi, Senthil, Kayalvizhi, Arulmozhi, Ilango, Poongodi, Murugan, Nilavan, Yazhini,
      Kabilan, Malarvizhi, Ezhil, Vetrivel, Anbarasi, Inbaraj, Kuyili, Sundar`),
    family: [],
    order: 'given family',
  },
];

export const indonesian: readonly NamePool[] = [
  {
    given:
      nameParts(`Wulandari, Sugiharto, Setyawati, Budiono, Kartini, Prasetyo, Yuliana, Hartanto, Rahayu, Supriyadi, Cahyono,
      Pertiwi, Wibowo, Lestari, Gunadi, Nurhayati`),
    family: [],
    order: 'given family',
  },
];
