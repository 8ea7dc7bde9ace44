export function phrases([text = '']: TemplateStringsArray): readonly string[] {
  return text.split('|').map((phrase) => phrase.trim());
}

/** How people and organisations of a language are called, and where they live. */
export interface Culture {
  readonly language: string;
  readonly firstNames: readonly string[];
  readonly lastNames: readonly string[];
  /** What an organisation does; its name follows. */
  readonly trades: readonly string[];
  /** Organisations of another kind, which the town follows. */
  readonly institutions?: readonly string[];
  readonly legalForms: readonly string[];
  /** `%` stands for the house number, which otherwise follows. */
  readonly streets: readonly string[];
  /** Of an organisation: the local parts of its addresses. */
  readonly mailboxes: Readonly<Record<'general' | 'invoices' | 'accounts' | 'management', string>>;
}

export const dutch: Culture = {
  language: 'nl',
  firstNames: phrases`
    Anouk | Bram | Chloë | Daan | Daniël | Douwe | Eefje | Femke | Fatma | Gijs | Hanneke | Hélène | Hidde | Ilse | Jelle |
    Jitske | Joost | Karin | Koen | Lieke | Loïs | Łukasz | Maarten | Marieke | Mehmet | Mirjam | Nienke | Noëlle | Pieter |
    Renée | Rianne | Sander | Sjoerd | Tess | Thijs | Wiebe | Willemijn | Wouter | Yasmina | Zoë
  `,
  lastNames: phrases`
    Bakker | Bos | Bosma | Bouwman | de Boer | de Groot | de Jong | de Vries | Dijkstra | Drenth | Groeneveld | Haan |
    Hoekstra | Huizinga | IJzerman | Jansen | Kamphuis | Kok | Kowalczyk | Kuipers | Meijer | Mulder | Nijboer | Oosterhuis |
    Postma | Prins | Reitsma | Rozema | Scholten | Smit | Terpstra | van Dam | van den Berg | van der Meer | van der Veen |
    van Dijk | van 't Hof | Veenstra | Visser | Wiersma | Wójcik | Yıldız | Zijlstra
  `,
  trades: phrases`
    Accountantskantoor | Apotheek | Autobedrijf | Bakkerij | Bouwbedrijf | Dakdekkersbedrijf | Drukkerij | Fysiotherapie |
    Hoveniersbedrijf | Huisartsenpraktijk | Installatiebedrijf | Kapsalon | Kwekerij | Loonbedrijf | Makelaardij |
    Rijschool | Schildersbedrijf | Schoonmaakbedrijf | Slagerij | Tandartspraktijk | Thuiszorg | Timmerbedrijf |
    Transportbedrijf | Zuivelhandel
  `,
  institutions: phrases`
    Basisschool De Regenboog | Basisschool Het Kompas | Buurtzorgteam De Linde | Hospice De Schuilplaats |
    Kinderopvang Pippeloentje | Revalidatiecentrum De Vonk | Stichting Beschermd Wonen | Stichting Jeugdhulp Noorderpoort |
    Stichting Samen Verder | Stichting Welzijn De Brug | Thuiszorgteam Aan Huis | Woonzorgcentrum De Wilgen |
    Woonzorgcentrum Het Anker | Woonzorgcentrum Sint Jozef | Zorgboerderij De Klaverhof | Zorgcentrum Het Baken
  `,
  legalForms: ['B.V.', 'B.V.', 'B.V.', 'V.O.F.', 'V.O.F.', ''],
  streets: phrases`
    Beatrixlaan | Boterdiep | Coöperatieweg | Dorpsstraat | Eikenlaan | Esdoornstraat | Hereweg | Hoofdstraat | Julianastraat |
    Kanaalweg | Kerkstraat | Lindelaan | Marktstraat | Meidoornlaan | Molenweg | Nieuwstraat | Oosterstraat | Parklaan |
    Prins Hendrikstraat | Schoolstraat | Sportlaan | Stationsweg | Torenstraat | Verlengde Hereweg | Westersingel | Wilgenweg
  `,
  mailboxes: { general: 'info', invoices: 'facturen', accounts: 'administratie', management: 'directie' },
};

export const flemish: Culture = {
  ...dutch,
  institutions: [],
  firstNames: phrases`Bart | Els | Griet | Joke | Jeroen | Katrien | Pieter-Jan | Stijn | Veerle | Wouter`,
  lastNames: phrases`Claes | De Smet | Goossens | Jacobs | Maes | Mertens | Peeters | Vandenberghe | Wouters`,
  legalForms: ['BV', 'BV', 'NV', 'VOF'],
  streets: phrases`Brusselsesteenweg | Coupure Links | Korenmarkt | Nederkouter | Veldstraat`,
};

export const french: Culture = {
  language: 'fr',
  firstNames: phrases`Amélie | Benoît | Chloé | François | Hélène | Jérôme | Loïc | Margaux | Noémie | Thérèse`,
  lastNames: phrases`Bernard | Chevalier | Dubois | Fournier | Girard | Lefèvre | Moreau | Rousseau | Simon`,
  trades: phrases`Boulangerie | Garage | Imprimerie | Menuiserie | Pharmacie | Transports`,
  legalForms: ['SARL', 'SARL', 'SAS'],
  streets: phrases`% rue de la Liberté | % rue Victor Hugo | % avenue de la Gare | % place du Marché`,
  mailboxes: { general: 'contact', invoices: 'factures', accounts: 'compta', management: 'direction' },
};

export const walloon: Culture = {
  ...french,
  lastNames: phrases`Dupont | Lambert | Leclercq | Lejeune | Mathieu | Renard | Servais`,
  legalForms: ['SRL', 'SRL', 'SA'],
  streets: phrases`Rue Léopold | Rue de la Cathédrale | Boulevard d'Avroy | Quai de la Batte`,
};

export const german: Culture = {
  language: 'de',
  firstNames: phrases`Anke | Björn | Dörte | Heike | Jörg | Jürgen | Käthe | Matthias | Sönke | Ulrike`,
  lastNames: phrases`Fröhlich | Groß | Hoffmann | Janßen | Krüger | Müller | Schäfer | Schröder | Weiß`,
  trades: phrases`Apotheke | Autohaus | Bäckerei | Druckerei | Pflegedienst | Sanitätshaus | Spedition | Tischlerei`,
  legalForms: ['GmbH', 'GmbH', 'GmbH & Co. KG', 'OHG'],
  streets: phrases`Bahnhofstraße | Goethestraße | Hauptstraße | Lindenallee | Mühlenweg | Schloßstraße`,
  mailboxes: { general: 'info', invoices: 'rechnung', accounts: 'buchhaltung', management: 'leitung' },
};

export const danish: Culture = {
  language: 'da',
  firstNames: phrases`Anders | Bodil | Jørgen | Karen | Lærke | Mette | Rasmus | Søren`,
  lastNames: phrases`Christensen | Jørgensen | Kjær | Nørgaard | Østergaard | Sørensen | Thomsen`,
  trades: phrases`Apoteket | Bageriet | Bogtrykkeriet | Klinikken | Møbelhuset | Tømrerfirmaet`,
  legalForms: ['A/S', 'ApS', 'ApS'],
  streets: phrases`Jernbanegade | Nørregade | Strandvejen | Søndergade | Vestergade`,
  mailboxes: { general: 'info', invoices: 'faktura', accounts: 'bogholderi', management: 'direktion' },
};

export const norwegian: Culture = {
  ...danish,
  language: 'nb',
  firstNames: phrases`Bjørn | Håkon | Ingrid | Kjersti | Ola | Øystein | Solveig`,
  lastNames: phrases`Bakken | Hansen | Haugen | Lien | Nygård | Pedersen | Sæther`,
  trades: phrases`Fiskehuset | Klinikken | Rørleggerfirmaet | Trykkeriet`,
  legalForms: ['AS'],
  streets: phrases`Kirkegata | Sjøgata | Skolevegen | Storgata`,
  mailboxes: { general: 'post', invoices: 'faktura', accounts: 'regnskap', management: 'ledelse' },
};

export const polish: Culture = {
  language: 'pl',
  firstNames: phrases`Agnieszka | Grażyna | Jakub | Łukasz | Małgorzata | Paweł | Wojciech`,
  lastNames: phrases`Adamczyk | Kaczmarek | Król | Nowak | Pawlak | Wróbel`,
  trades: phrases`Apteka | Drukarnia | Hurtownia | Piekarnia | Transport`,
  legalForms: ['Sp. z o.o.'],
  streets: phrases`ul. Kościuszki | ul. Piłsudskiego | ul. Piotrkowska | ul. Źródłowa`,
  mailboxes: { general: 'biuro', invoices: 'faktury', accounts: 'ksiegowosc', management: 'zarzad' },
};
