import { phrases, type Random } from './random.ts';

/**
 * By country: its currency, how much of that is about one euro, and what the numbers of a company, for VAT without the
 * country, of an account without country and check digits, of a mobile phone and for Peppol look like. `#` stands for a
 * digit, `{no}` for those of the company's number and `{vat}` for the VAT number; the banks do not exist.
 */
const PATTERNS = {
  NL: ['EUR', 1, '########', '8########B0#', 'DEMO0#########', '+31 6 555 ## ###', '0106:{no}'],
  BE: ['EUR', 1, '0###.###.###', '{no}', '999#########', '+32 455 ## ## ##', '0208:{no}'],
  DE: ['EUR', 1, 'HRB ######', '#########', '99999999##########', '+49 171 39 200 ##', '9930:{vat}'],
  DK: ['DKK', 7.5, '########', '{no}', '9999##########', '+45 20 55 ## ##', '0184:{no}'],
  FR: ['EUR', 1, '#########', '##{no}', '9999900000###########99', '+33 6 39 98 ## ##', '0002:{no}'],
  NO: ['NOK', 11.5, '9########', '{no}MVA', '9999#######', '+47 455 ## ###', '0192:{no}'],
  PL: ['PLN', 4.25, '0000######', '##########', '99999999################', '+48 555 ### ###', '9945:{vat}'],
} as const;

type Culture = ReturnType<ReturnType<typeof createCulture>>;

/**
 * How people and organisations of a country and language are called, and where they live: first names; last names; legal
 * forms; streets, in which `%` stands for the house number that otherwise follows; mailboxes (general, for invoices, of
 * accounts and of the management); trades, which the name follows; and institutions, which the town follows.
 */
function createCulture(code: keyof typeof PATTERNS, language: string) {
  return ([text = '']: TemplateStringsArray) => {
    const lists = text.split(';').map((list) => list.split(',').map((item) => item.trim()));
    const [firstNames = [], lastNames = [], legalForms = [], streets = [], mailboxes = []] = lists;
    const [trades = [], institutions = []] = lists.slice(5);
    const [currency, perEuro, companyNumber, vatNumber, account, mobile, peppolIdentifier] = PATTERNS[code];
    const numbers = { companyNumber, vatNumber, account, mobile, peppolIdentifier };
    const country = { code, currency, perEuro, ...numbers };
    return { country, language, firstNames, lastNames, legalForms, streets, mailboxes, trades, institutions };
  };
}

/** Returns an IBAN with valid check digits. */
export function createIban({ country: { code, account } }: Culture, random: Random): string {
  const filled = random.fill(account);
  const digits = `${filled}${code}00`.replace(/[A-Z]/g, (letter) => String(letter.charCodeAt(0) - 55));
  return `${code}${String(98n - (BigInt(digits) % 97n)).padStart(2, '0')}${filled}`;
}

const dutch = createCulture('NL', 'nl')`
  Anouk, Bram, Chloë, Daan, Daniël, Douwe, Eefje, Femke, Fatma, Gijs, Hanneke, Hélène, Hidde, Ilse, Jelle, Jitske,
  Joost, Karin, Koen, Lieke, Loïs, Łukasz, Maarten, Marieke, Mehmet, Mirjam, Nienke, Noëlle, Pieter, Renée, Rianne,
  Sander, Sjoerd, Tess, Thijs, Wiebe, Willemijn, Wouter, Yasmina, Zoë;
  Bakker, Bos, Bosma, Bouwman, de Boer, de Groot, de Jong, de Vries, Dijkstra, Drenth, Groeneveld, Haan, Hoekstra,
  Huizinga, IJzerman, Jansen, Kamphuis, Kok, Kowalczyk, Kuipers, Meijer, Mulder, Nijboer, Oosterhuis, Postma, Prins,
  Reitsma, Rozema, Scholten, Smit, Terpstra, van Dam, van den Berg, van der Meer, van der Veen, van Dijk, van 't Hof,
  Veenstra, Visser, Wiersma, Wójcik, Yıldız, Zijlstra;
  B.V., B.V., B.V., V.O.F., V.O.F., ;
  Beatrixlaan, Boterdiep, Coöperatieweg, Dorpsstraat, Eikenlaan, Esdoornstraat, Hereweg, Hoofdstraat, Julianastraat,
  Kanaalweg, Kerkstraat, Lindelaan, Marktstraat, Meidoornlaan, Molenweg, Nieuwstraat, Oosterstraat, Parklaan,
  Prins Hendrikstraat, Schoolstraat, Sportlaan, Stationsweg, Torenstraat, Verlengde Hereweg, Westersingel, Wilgenweg;
  info, facturen, administratie, directie;
  Accountantskantoor, Apotheek, Autobedrijf, Bakkerij, Bouwbedrijf, Dakdekkersbedrijf, Drukkerij, Fysiotherapie,
  Hoveniersbedrijf, Huisartsenpraktijk, Installatiebedrijf, Kapsalon, Kwekerij, Loonbedrijf, Makelaardij, Rijschool,
  Schildersbedrijf, Schoonmaakbedrijf, Slagerij, Tandartspraktijk, Thuiszorg, Timmerbedrijf, Transportbedrijf,
  Zuivelhandel;
  Basisschool De Regenboog, Basisschool Het Kompas, Buurtzorgteam De Linde, Hospice De Schuilplaats,
  Kinderopvang Pippeloentje, Revalidatiecentrum De Vonk, Stichting Beschermd Wonen, Stichting Jeugdhulp Noorderpoort,
  Stichting Samen Verder, Stichting Welzijn De Brug, Thuiszorgteam Aan Huis, Woonzorgcentrum De Wilgen,
  Woonzorgcentrum Het Anker, Woonzorgcentrum Sint Jozef, Zorgboerderij De Klaverhof, Zorgcentrum Het Baken
`;

const flemish = {
  ...createCulture('BE', 'nl')`
    Bart, Els, Griet, Joke, Jeroen, Katrien, Pieter-Jan, Stijn, Veerle, Wouter;
    Claes, De Smet, Goossens, Jacobs, Maes, Mertens, Peeters, Vandenberghe, Wouters; BV, BV, NV, VOF;
    Brusselsesteenweg, Coupure Links, Korenmarkt, Nederkouter, Veldstraat; info, facturen, administratie, directie
  `,
  trades: dutch.trades,
};

const french = createCulture('FR', 'fr')`
  Amélie, Benoît, Chloé, François, Hélène, Jérôme, Loïc, Margaux, Noémie, Thérèse; Bernard, Chevalier, Dubois,
  Fournier, Girard, Lefèvre, Moreau, Rousseau, Simon;
  SARL, SARL, SAS; % rue de la Liberté, % rue Victor Hugo, % avenue de la Gare, % place du Marché;
  contact, factures, compta, direction; Boulangerie, Garage, Imprimerie, Menuiserie, Pharmacie, Transports
`;

const walloon = createCulture('BE', 'fr')`
  Amélie, Benoît, Chloé, François, Hélène, Jérôme, Loïc, Margaux, Noémie, Thérèse; Dupont, Lambert, Leclercq, Lejeune,
  Mathieu, Renard, Servais;
  SRL, SRL, SA; Rue Léopold, Rue de la Cathédrale, Boulevard d'Avroy, Quai de la Batte;
  contact, factures, compta, direction; Boulangerie, Garage, Imprimerie, Menuiserie, Pharmacie, Transports
`;

const german = createCulture('DE', 'de')`
  Anke, Björn, Dörte, Heike, Jörg, Jürgen, Käthe, Matthias, Sönke, Ulrike; Fröhlich, Groß, Hoffmann, Janßen, Krüger,
  Müller, Schäfer, Schröder, Weiß;
  GmbH, GmbH, GmbH & Co. KG, OHG; Bahnhofstraße, Goethestraße, Hauptstraße, Lindenallee, Mühlenweg, Schloßstraße;
  info, rechnung, buchhaltung, leitung; Apotheke, Autohaus, Bäckerei, Druckerei, Pflegedienst, Sanitätshaus,
  Spedition, Tischlerei
`;

const danish = createCulture('DK', 'da')`
  Anders, Bodil, Jørgen, Karen, Lærke, Mette, Rasmus, Søren; Christensen, Jørgensen, Kjær, Nørgaard, Østergaard,
  Sørensen, Thomsen;
  A/S, ApS, ApS; Jernbanegade, Nørregade, Strandvejen, Søndergade, Vestergade;
  info, faktura, bogholderi, direktion; Apoteket, Bageriet, Bogtrykkeriet, Klinikken, Møbelhuset, Tømrerfirmaet
`;

const norwegian = createCulture('NO', 'nb')`
  Bjørn, Håkon, Ingrid, Kjersti, Ola, Øystein, Solveig; Bakken, Hansen, Haugen, Lien, Nygård, Pedersen, Sæther;
  AS; Kirkegata, Sjøgata, Skolevegen, Storgata;
  post, faktura, regnskap, ledelse; Fiskehuset, Klinikken, Rørleggerfirmaet, Trykkeriet
`;

const polish = createCulture('PL', 'pl')`
  Agnieszka, Grażyna, Jakub, Łukasz, Małgorzata, Paweł, Wojciech; Adamczyk, Kaczmarek, Król, Nowak, Pawlak, Wróbel;
  Sp. z o.o.; ul. Kościuszki, ul. Piłsudskiego, ul. Piotrkowska, ul. Źródłowa;
  biuro, faktury, ksiegowosc, zarzad; Apteka, Drukarnia, Hurtownia, Piekarnia, Transport
`;

export type Town = ReturnType<ReturnType<typeof createTowns>>[number];

/** Towns, each with its postal codes, phone numbers and perhaps its region: `#` stands for a digit, `@` for a letter. */
function createTowns(culture: Culture) {
  return (text: TemplateStringsArray) =>
    phrases(text).map((town) => {
      const [city = '', postalCode = '', phone = '', region = null] = town.split(', ');
      return { city, culture, country: culture.country, postalCode, phone, region };
    });
}

export const north = createTowns(dutch)`
  Groningen, 97## @@, +31 50 555 ## ## | Assen, 940# @@, +31 592 55 ## ## | Leeuwarden, 89## @@, +31 58 555 ## ## |
  Drachten, 920# @@, +31 512 55 ## ## | Emmen, 78## @@, +31 591 55 ## ## | Heerenveen, 844# @@, +31 513 55 ## ## |
  Hoogezand, 960# @@, +31 598 55 ## ## | Stadskanaal, 950# @@, +31 599 55 ## ## | Sneek, 860# @@, +31 515 55 ## ## |
  Veendam, 964# @@, +31 598 55 ## ## | Winschoten, 967# @@, +31 597 55 ## ## | Zuidhorn, 980# @@, +31 594 55 ## ##
`;

export const groningen = createTowns(dutch)`
  Groningen, 97## @@, +31 50 555 ## ## | Groningen, 97## @@, +31 50 555 ## ## |
  Groningen, 97## @@, +31 50 555 ## ## | Haren, 975# @@, +31 50 555 ## ## | Ten Boer, 979# @@, +31 50 555 ## ## |
  Zuidhorn, 980# @@, +31 594 55 ## ##
`;

export const netherlands = createTowns(dutch)`
  Amsterdam, 10## @@, +31 20 555 ## ## | 's-Gravenhage, 25## @@, +31 70 555 ## ## |
  's-Hertogenbosch, 52## @@, +31 73 555 ## ## | Eindhoven, 56## @@, +31 40 555 ## ## |
  Rotterdam, 30## @@, +31 10 555 ## ## | Utrecht, 35## @@, +31 30 555 ## ## | Zwolle, 80## @@, +31 38 555 ## ##
`;

/** Foreign towns near the north of the Netherlands. */
export const neighbours = [
  ...createTowns(german)`Leer, 26789, +49 491 555 ###, Niedersachsen`,
  ...createTowns(german)`Oldenburg, 261##, +49 441 555 ####, Niedersachsen`,
  ...createTowns(german)`Münster, 481##, +49 251 555 ####, Nordrhein-Westfalen`,
  ...createTowns(flemish)`Gent, 9000, +32 9 255 ## ##, Oost-Vlaanderen`,
  ...createTowns(walloon)`Liège, 4000, +32 4 255 ## ##, Wallonie`,
];

export const abroad = [
  ...neighbours,
  ...createTowns(german)`München, 80###, +49 89 555 ####, Bayern`,
  ...createTowns(danish)`København, 1###, +45 33 55 ## ## | Århus, 8000, +45 86 55 ## ##`,
  ...createTowns(french)`Besançon, 25000, +33 3 55 55 ## ##`,
  ...createTowns(norwegian)`Tromsø, 90##, +47 77 55 ## ##`,
  ...createTowns(polish)`Łódź, 90-###, +48 42 555 ## ##, łódzkie`,
];
