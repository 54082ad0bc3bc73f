import type { RefusalReason } from '../../domain/request-entry.ts';
import type { Texts } from '../texts/texts.ts';

/** Why a request was refused, in a few words. */
export const reasonText = (reason: string, { refusalReasons }: Texts): string =>
  refusalReasons[reason as RefusalReason] ?? reason;
