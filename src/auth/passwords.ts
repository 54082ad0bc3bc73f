const params = { memoryCost: 19_456, timeCost: 2, parallelism: 1 };

/** For an address without an account: hashing takes as long as for one with an account, so response times do not reveal which exist. */
const noAccount = { ...params, salt: Buffer.alloc(16) };

/** In UTF-16 units: a password has at most 1000 characters of up to two units. */
const inputLengthMax = 2000;

/**
 * Hashes with Argon2id and OWASP's parameters (19 MiB, 2 passes): about 30 ms, off the event loop. All accounts of an address share a salt.
 * If the address has another account, pass its stored hash as `other`: the salt is read from that hash.
 */
export async function hashPassword(password: string, other?: string): Promise<string> {
  const { hash } = await import('@node-rs/argon2');
  const salt = other === undefined ? undefined : settingsOf(other)?.options.salt;
  // Argon2id is the package's default; its enum is a const enum, which isolated modules cannot import.
  return hash(password, { ...params, ...(salt && { salt }) });
}

/**
 * Returns those accounts of one address that have this password. The accounts share a salt, so one hash checks them all, and a sign-in takes
 * the same time for any number of accounts, including none. Only accounts created at the same moment, or by the previous version, have
 * different salts. Each additional salt costs another hash.
 */
export async function withPassword<A extends { readonly passwordHash: string }>(
  accounts: readonly A[],
  typed: string,
): Promise<A[]> {
  const { hash } = await import('@node-rs/argon2');
  const known = accounts.flatMap(({ passwordHash }) => settingsOf(passwordHash) ?? []);
  const distinct = new Map(known.map((one) => [one.text, one.options]));
  const hashes = new Set<string>();
  for (const options of distinct.size > 0 ? distinct.values() : [noAccount])
    hashes.add(await hash(typed.length <= inputLengthMax ? typed : '', options));
  return accounts.filter(({ passwordHash }) => hashes.has(passwordHash));
}

const format = /^\$argon2id\$v=19\$m=(\d+),t=(\d+),p=(\d+)\$([^$]+)\$/;

/** Returns the parameters and salt of a stored hash: as `text`, the beginning of the hash, and as options for hashing. */
function settingsOf(stored: string) {
  const [text, memory, time, parallelism, salt = ''] = format.exec(stored) ?? [];
  if (text === undefined) return undefined;
  const stated = { memoryCost: Number(memory), timeCost: Number(time), parallelism: Number(parallelism) };
  return { text, options: { ...stated, salt: Buffer.from(salt, 'base64') } };
}
