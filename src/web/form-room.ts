import { type ApiError, unavailable } from '../domain/errors.ts';

/** In bytes: room for five of the longest forms. */
const roomBytes = 16 * 1024 * 1024;
const processBytes = 8 * roomBytes;

/** Whose room a form takes, and who of those that share it has sent it. */
export interface Sender {
  readonly room: string;
  readonly sender: string;
}

export interface HeldForm extends Sender {
  /** Whether the service works on the form. Otherwise its bytes wait for the client, which sends the form or reads the answer. */
  isAtWork(): boolean;
  /** Ends the request of a form that is not at work. */
  refuse(refusal: ApiError): void;
}

/**
 * Counts the bytes of long forms that have arrived, until each is answered. What a room holds beyond its size ends the form that has waited
 * longest for its client, among those of the sender that holds most. Beyond the room of the process, the form that arrives ends.
 */
export class FormRoom {
  /** The forms of each room and their bytes, in the order in which they began. */
  readonly #rooms = new Map<string, Map<HeldForm, number>>();
  #bytes = 0;
  #refused = 0;

  get refused(): number {
    return this.#refused;
  }

  /** Counts bytes that have arrived. */
  add(form: HeldForm, bytes: number): void {
    const held = this.#rooms.get(form.room) ?? new Map<HeldForm, number>();
    this.#rooms.set(form.room, held);
    held.set(form, (held.get(form) ?? 0) + bytes);
    this.#bytes += bytes;
    const total = [...held.values()].reduce((sum, own) => sum + own, 0);
    if (total > roomBytes) this.#end(longestWaiting(held, form));
    else if (this.#bytes > processBytes) this.#end(form);
  }

  /** Frees the bytes of a form. */
  remove(form: HeldForm): void {
    const held = this.#rooms.get(form.room);
    this.#bytes -= held?.get(form) ?? 0;
    held?.delete(form);
    if (held?.size === 0) this.#rooms.delete(form.room);
  }

  #end(form: HeldForm): void {
    this.#refused += 1;
    this.remove(form);
    form.refuse(unavailable('overload', 'Too many long forms arrive at once; try again.', 1));
  }
}

/** The form that has waited longest for its client, among those of the sender that holds most. `arriving` waits, too. */
function longestWaiting(held: ReadonlyMap<HeldForm, number>, arriving: HeldForm): HeldForm {
  const bySender = new Map<string, number>();
  for (const [{ sender }, bytes] of held) bySender.set(sender, (bySender.get(sender) ?? 0) + bytes);
  const most = ({ sender }: HeldForm): number => bySender.get(sender) ?? 0;
  const [first = arriving, ...others] = [...held.keys()].filter((form) => !form.isAtWork());
  return others.reduce((one, other) => (most(one) >= most(other) ? one : other), first);
}
