import { type Tag, tags } from './tags.ts';

/** Elements open at once, summed over all names; honest rich text was seen to reach 5. */
const openTagsMax = 100;

/** The same for elements whose end tag is optional: a list or table of 30,000 characters may close none of its items. */
const openOptionalTagsMax = 3000;

/**
 * End tags like `</b>` while another element is open inside, each weighed by the elements open at that moment. They set off the
 * adoption agency of the HTML standard (13.2.6.4.7), whose work grows with both; `<b><i>x</b></i>` weighs 2.
 */
const misnestingMax = 1500;

const voidTags = new Set('area base br col embed hr img input link meta param source track wbr'.split(' '));
const optionalEndTags = new Set('p li td tr th dt dd'.split(' '));
const formattingTags = new Set('a b big code em font i nobr s small strike strong tt u'.split(' '));

/** Removes the innermost `name`; whether something else was open inside. */
function close(stack: string[], name: string): boolean {
  if (stack.at(-1) === name) {
    stack.pop();
    return false;
  }
  stack.splice(stack.lastIndexOf(name), 1);
  return true;
}

/**
 * Whether a parser would need unreasonable time: too many elements open at once, or too much misnesting. One pass without a
 * parser. It may count too much in absurd HTML; what slips through meets the worker's deadline.
 */
export function opensTooManyTags(html: string): boolean {
  const counts = new Map<string, number>();
  const stack: string[] = [];
  let openOptional = 0;
  let misnesting = 0;

  function count({ name, step }: Tag): void {
    const before = counts.get(name) ?? 0;
    if (voidTags.has(name) || before + step < 0) return;
    counts.set(name, before + step);
    if (optionalEndTags.has(name)) openOptional += step;
    else if (step === 1) stack.push(name);
    else if (close(stack, name) && formattingTags.has(name)) misnesting += stack.length + 1;
  }

  for (const tag of tags(html)) {
    count(tag);
    if (stack.length > openTagsMax || openOptional > openOptionalTagsMax || misnesting > misnestingMax) return true;
  }
  return false;
}
