import {
  type Culture,
  danish,
  dutch,
  flemish,
  french,
  german,
  norwegian,
  polish,
  walloon,
} from './cultures.ts';
import { phrases } from './random.ts';

export type Town = ReturnType<ReturnType<typeof townsOf>>[number];

/** Towns, each with its postal codes, phone numbers and perhaps its region: `#` stands for a digit, `@` for a letter. */
function townsOf(culture: Culture) {
  return (text: TemplateStringsArray) =>
    phrases(text).map((town) => {
      const [city = '', postalCode = '', phone = '', region = null] = town.split(', ');
      return { city, culture, country: culture.country, postalCode, phone, region };
    });
}

export const north = townsOf(dutch)`
  Groningen, 97## @@, +31 50 555 ## ## | Assen, 940# @@, +31 592 55 ## ## | Leeuwarden, 89## @@, +31 58 555 ## ## |
  Drachten, 920# @@, +31 512 55 ## ## | Emmen, 78## @@, +31 591 55 ## ## | Heerenveen, 844# @@, +31 513 55 ## ## |
  Hoogezand, 960# @@, +31 598 55 ## ## | Stadskanaal, 950# @@, +31 599 55 ## ## | Sneek, 860# @@, +31 515 55 ## ## |
  Veendam, 964# @@, +31 598 55 ## ## | Winschoten, 967# @@, +31 597 55 ## ## | Zuidhorn, 980# @@, +31 594 55 ## ##
`;

/** In and around the city. */
export const groningen = townsOf(dutch)`
  Groningen, 97## @@, +31 50 555 ## ## | Groningen, 97## @@, +31 50 555 ## ## |
  Groningen, 97## @@, +31 50 555 ## ## | Haren, 975# @@, +31 50 555 ## ## | Ten Boer, 979# @@, +31 50 555 ## ## |
  Zuidhorn, 980# @@, +31 594 55 ## ##
`;

export const netherlands = townsOf(dutch)`
  Amsterdam, 10## @@, +31 20 555 ## ## | 's-Gravenhage, 25## @@, +31 70 555 ## ## |
  's-Hertogenbosch, 52## @@, +31 73 555 ## ## | Eindhoven, 56## @@, +31 40 555 ## ## |
  Rotterdam, 30## @@, +31 10 555 ## ## | Utrecht, 35## @@, +31 30 555 ## ## | Zwolle, 80## @@, +31 38 555 ## ##
`;

/** Where somebody from the north of the Netherlands may move, or spend a holiday. */
export const neighbours = [
  ...townsOf(german)`Leer, 26789, +49 491 555 ###, Niedersachsen`,
  ...townsOf(german)`Oldenburg, 261##, +49 441 555 ####, Niedersachsen`,
  ...townsOf(german)`Münster, 481##, +49 251 555 ####, Nordrhein-Westfalen`,
  ...townsOf(flemish)`Gent, 9000, +32 9 255 ## ##, Oost-Vlaanderen`,
  ...townsOf(walloon)`Liège, 4000, +32 4 255 ## ##, Wallonie`,
];

/** Where a supplier has customers. */
export const abroad = [
  ...neighbours,
  ...townsOf(german)`München, 80###, +49 89 555 ####, Bayern`,
  ...townsOf(danish)`København, 1###, +45 33 55 ## ## | Århus, 8000, +45 86 55 ## ##`,
  ...townsOf(french)`Besançon, 25000, +33 3 55 55 ## ##`,
  ...townsOf(norwegian)`Tromsø, 90##, +47 77 55 ## ##`,
  ...townsOf(polish)`Łódź, 90-###, +48 42 555 ## ##, łódzkie`,
];
