import type { Day } from './dates.ts';

/** What something that a person typed must be. */
export type InputRule =
  | { readonly kind: 'not_blank' | 'plain_line' | 'well_formed' | 'day' | 'email' }
  | { readonly kind: 'not_before_first' | 'needed_for_new_plan' | 'status_or_class' }
  | { readonly kind: 'characters_max'; readonly max: number }
  | { readonly kind: 'characters' | 'whole_number'; readonly min: number; readonly max: number }
  | { readonly kind: 'not_after' | 'not_before'; readonly day: Day };

/** Completes "The label must ...". */
export function ruleText(rule: InputRule): string {
  switch (rule.kind) {
    case 'not_blank':
      return 'not be blank';
    case 'plain_line':
      return 'be one line of plain text';
    case 'well_formed':
      return 'be well-formed text';
    case 'day':
      return 'be a day, YYYY-MM-DD';
    case 'email':
      return 'be an e-mail address';
    case 'not_before_first':
      return 'not be before the first day';
    case 'needed_for_new_plan':
      return 'be given for a new plan';
    case 'status_or_class':
      return 'be a status such as 404, or a class such as 4xx';
    case 'characters_max':
      return `be at most ${rule.max} characters`;
    case 'characters':
      return `be ${rule.min} to ${rule.max} characters`;
    case 'whole_number':
      return `be a whole number from ${rule.min} to ${rule.max}`;
    case 'not_after':
      return `not be after today, ${rule.day}`;
    case 'not_before':
      return `not be before today, ${rule.day}`;
  }
}
