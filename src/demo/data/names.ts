/** Words for the generated records, including non-ASCII letters as in real data. */
export const firstNames = phrases(`
  Anouk | Bram | Chloë | Daniël | Eefje | Femke | Gijs | Hélène | Ilse | Jürgen | Koen | Loïs | Maarten |
  Noëlle | Øystein | Pieter | Renée | Søren | Tess | Willemijn | Zoë
`);

export const lastNames = phrases(`
  de Vries | van den Berg | Bakker | van 't Hoff | Coëlho | Dijkstra | Fröhlich | Groeneveld | Jansen |
  Kowalczyk | Müller | Nuñez | O'Neill | Østergaard | Pérez | Visser | Wójcik | IJzerman
`);

export const businessNames = phrases(`
  Bouwgroep Noord | Café Zuiderpark | Dakwerken Holland | Energie & Co | Fietsenhuis | Garage Ardèche |
  Hoveniersbedrijf Groen | Installatietechniek | Kwekerij Zonnebloem | Møbelhuset | Tandarts Praktijk |
  Transport Łódź | Zuivel & Zo | 東京商事 | 北京贸易
`);

export const legalForms = phrases(`
  B.V. | N.V. | V.O.F. | GmbH | SARL | A/S | Sp. z o.o.
`);

export interface Place {
  city: string;
  countryCode: string;
  /** `#` stands for a digit and `@` for a letter. */
  postalCode: string;
  region: string | null;
  language: string;
  currency: string;
}

export const dutchPlaces: readonly Place[] = [
  place('Amsterdam', 'NL', '10## @@', null, 'nl', 'EUR'),
  place("'s-Gravenhage", 'NL', '25## @@', null, 'nl', 'EUR'),
  place("'s-Hertogenbosch", 'NL', '52## @@', null, 'nl', 'EUR'),
  place('Eindhoven', 'NL', '56## @@', null, 'nl', 'EUR'),
  place('Groningen', 'NL', '97## @@', null, 'nl', 'EUR'),
  place('Utrecht', 'NL', '35## @@', null, 'nl', 'EUR'),
];

export const foreignPlaces: readonly Place[] = [
  place('Liège', 'BE', '40##', 'Wallonie', 'fr', 'EUR'),
  place('München', 'DE', '80###', 'Bayern', 'de', 'EUR'),
  place('København', 'DK', '1###', null, 'da', 'DKK'),
  place('Besançon', 'FR', '250##', null, 'fr', 'EUR'),
  place('Łódź', 'PL', '90-###', 'łódzkie', 'pl', 'PLN'),
  place('Tromsø', 'NO', '90##', null, 'nb', 'NOK'),
  place('東京', 'JP', '1##-####', '関東', 'ja', 'JPY'),
  place('San José', 'US', '951##', 'CA', 'en', 'USD'),
];

export const streets = phrases(`
  Dorpsstraat | Kerkstraat | Prinsengracht | Lange Voorhout | Coöperatieweg | Rue de la Liberté |
  Hauptstraße | Nørregade | Ulica Piłsudskiego | Stationsplein
`);

export const labels = phrases(`
  VIP | Incasso | Betalingsregeling | Überfällig | Do not call | Zorg | B2B
`);

export const remarks = [
  'Belt liever na 17:00 uur.',
  'Betaalt altijd in één keer.',
  'Rechnung nur per Post.',
  'Asked for a payment plan.',
  'Eerste regel.\nTweede regel met "aanhalingstekens".',
] as const;

export const taskSubjects = phrases(`
  Bel de debiteur | Controleer het adres | Stuur een kopie van de factuur |
  Beoordeel het betalingsvoorstel | Vraag een nieuw e-mailadres op | Check the disputed invoice
`);

export const taskComments = phrases(`
  Niet bereikbaar, morgen opnieuw. | Toegezegd te betalen vóór vrijdag. | Voicemail left. |
  Adres klopt niet meer.
`);

export const completionMessages = phrases(`
  Afgerond na telefonisch contact. | Debiteur niet bereikt. | Factuur is inmiddels betaald.
`);

export const claimResponseCodes = phrases(`
  0200 | 8001 | 0451 | 9907 | A-17
`);

function phrases(text: string): readonly string[] {
  return text.split('|').map((phrase) => phrase.trim());
}

function place(
  city: string,
  countryCode: string,
  postalCode: string,
  region: string | null,
  language: string,
  currency: string,
): Place {
  return { city, countryCode, postalCode, region, language, currency };
}
