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

interface Room {
  bytes: number;
  /** With the bytes of each, in the order in which they began. */
  readonly forms: Map<HeldForm, number>;
}

/**
 * Counts the bytes of long forms that have arrived, until each is answered. What a room holds beyond its size ends the form that has waited
 * longest for its client, among those of the sender that holds most. Beyond the room of the process, the form that arrives ends.
 */
export class FormRoom {
  readonly #rooms = new Map<string, Room>();
  #bytes = 0;
  #refused = 0;

  get refused(): number {
    return this.#refused;
  }

  /** Counts bytes that have arrived. */
  add(form: HeldForm, bytes: number): void {
    const room = this.#rooms.get(form.room) ?? { bytes: 0, forms: new Map() };
    this.#rooms.set(form.room, room);
    room.forms.set(form, (room.forms.get(form) ?? 0) + bytes);
    room.bytes += bytes;
    this.#bytes += bytes;
    if (room.bytes > roomBytes) this.#end(longestWaiting(room.forms, form));
    else if (this.#bytes > processBytes) this.#end(form);
  }

  /** Frees the bytes of a form. */
  remove(form: HeldForm): void {
    const room = this.#rooms.get(form.room);
    const bytes = room?.forms.get(form);
    if (!room || bytes === undefined) return;
    room.forms.delete(form);
    room.bytes -= bytes;
    this.#bytes -= bytes;
    if (room.forms.size === 0) this.#rooms.delete(form.room);
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
