import type { Message } from '../../domain/message.ts';
import type { TextKey } from './language.ts';

/** Texts that pages show instead of the API's messages about fields, which are worded for programs. */
export const forPeople: Readonly<Record<string, TextKey | undefined>> = {
  'is a main area': 'must be one of the choices',
  'is empty': 'must be left empty if there is none',
  'is escaped twice': 'must be HTML that is not escaped twice',
  'is no known id': 'must be one of the choices',
  'is not a known field': 'must be left out',
  'is required': 'must be given',
  'is required when {{field}} is {{value}}': 'must be given when {{field}} is {{value}}',
  'is the word null': 'must be left empty if there is none',
  'must be of type integer': 'must be a whole number',
  'must be of type {{types}}': 'must be given',
  'must be the id of a region': 'must be one of the choices',
  'must be the id of an active category with a parent_id': 'must be one of the choices',
  'must contain a digit, such as +351 210 000 000': 'must contain a digit',
  'must have its host as browsers read it': 'must have {{read}} as its host',
  'must have {{characters}} after its host percent-encoded':
    'must have {{codes}} in place of {{characters}} after its host',
  'must have at least {{min}} character': 'must be given',
  'must have at most {{max}} UTF-8 bytes after sanitizing, not {{size}}':
    'must be at most {{max}} bytes in UTF-8, not {{size}}',
  'must have at most {{max}} characters after sanitizing, not {{size}}':
    'must have less HTML or text: it has {{size}} characters, and at most {{max}} are possible',
  'must have at most {{max}} elements after sanitizing, not {{size}}':
    'must have at most {{max}} tags or lines, not {{size}}',
  'must have at most one decimal place': 'must have fewer decimal places',
  'must have at most {{places}} decimal places': 'must have fewer decimal places',
  'This company may not publish in that district.': 'must be a region in which your company may publish',
};

/** What pages say in place of the types that a form's controls can miss. */
const forTypes: Readonly<Record<string, TextKey | undefined>> = {
  boolean: 'must be one of the choices',
  number: 'must be a number',
};

/** The text that pages show for a message. */
export const textForPeople = ({ text, params = {} }: Message): string =>
  forTypes[String(params.types)] ?? forPeople[text] ?? text;
