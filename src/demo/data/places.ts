import { type CountryCode, countryOf } from './countries.ts';
import * as cultures from './cultures.ts';
import { repeated } from './random.ts';

export type Town = ReturnType<typeof place>;

export const north: readonly Town[] = [
  dutchTown('Groningen', '97## @@', '50 555 ## ##'),
  dutchTown('Assen', '940# @@', '592 55 ## ##'),
  dutchTown('Leeuwarden', '89## @@', '58 555 ## ##'),
  dutchTown('Drachten', '920# @@', '512 55 ## ##'),
  dutchTown('Emmen', '78## @@', '591 55 ## ##'),
  dutchTown('Heerenveen', '844# @@', '513 55 ## ##'),
  dutchTown('Hoogezand', '960# @@', '598 55 ## ##'),
  dutchTown('Stadskanaal', '950# @@', '599 55 ## ##'),
  dutchTown('Sneek', '860# @@', '515 55 ## ##'),
  dutchTown('Veendam', '964# @@', '598 55 ## ##'),
  dutchTown('Winschoten', '967# @@', '597 55 ## ##'),
  dutchTown('Zuidhorn', '980# @@', '594 55 ## ##'),
];

/** In and around the city. */
export const groningen: readonly Town[] = [
  ...repeated([dutchTown('Groningen', '97## @@', '50 555 ## ##'), 3]),
  dutchTown('Haren', '975# @@', '50 555 ## ##'),
  dutchTown('Ten Boer', '979# @@', '50 555 ## ##'),
  dutchTown('Zuidhorn', '980# @@', '594 55 ## ##'),
];

export const netherlands: readonly Town[] = [
  dutchTown('Amsterdam', '10## @@', '20 555 ## ##'),
  dutchTown("'s-Gravenhage", '25## @@', '70 555 ## ##'),
  dutchTown("'s-Hertogenbosch", '52## @@', '73 555 ## ##'),
  dutchTown('Eindhoven', '56## @@', '40 555 ## ##'),
  dutchTown('Rotterdam', '30## @@', '10 555 ## ##'),
  dutchTown('Utrecht', '35## @@', '30 555 ## ##'),
  dutchTown('Zwolle', '80## @@', '38 555 ## ##'),
];

/** Where somebody from the north of the Netherlands may move, or spend a holiday. */
export const neighbours: readonly Town[] = [
  place('Leer', 'DE', cultures.german, '26789', 'Niedersachsen', '+49 491 555 ###'),
  place('Oldenburg', 'DE', cultures.german, '261##', 'Niedersachsen', '+49 441 555 ####'),
  place('Münster', 'DE', cultures.german, '481##', 'Nordrhein-Westfalen', '+49 251 555 ####'),
  place('Gent', 'BE', cultures.flemish, '9000', 'Oost-Vlaanderen', '+32 9 255 ## ##'),
  place('Liège', 'BE', cultures.walloon, '4000', 'Wallonie', '+32 4 255 ## ##'),
];

/** Where a supplier has customers. */
export const abroad: readonly Town[] = [
  ...neighbours,
  place('München', 'DE', cultures.german, '80###', 'Bayern', '+49 89 555 ####'),
  place('København', 'DK', cultures.danish, '1###', null, '+45 33 55 ## ##'),
  place('Århus', 'DK', cultures.danish, '8000', null, '+45 86 55 ## ##'),
  place('Besançon', 'FR', cultures.french, '25000', null, '+33 3 55 55 ## ##'),
  place('Tromsø', 'NO', cultures.norwegian, '90##', null, '+47 77 55 ## ##'),
  place('Łódź', 'PL', cultures.polish, '90-###', 'łódzkie', '+48 42 555 ## ##'),
];

function dutchTown(city: string, postalCode: string, phone: string): Town {
  return place(city, 'NL', cultures.dutch, postalCode, null, `+31 ${phone}`);
}

/** In postal codes and numbers, `#` stands for a digit and `@` for a letter. */
function place(
  city: string,
  code: CountryCode,
  culture: cultures.Culture,
  postalCode: string,
  region: string | null,
  phone: string,
) {
  return { city, country: countryOf(code), culture, postalCode, region, phone };
}
