import type { Db } from '../database/open.ts';
import { type CachedJson, cachedJson } from '../domain/cached-json.ts';
import { type CategoryRow, type DistrictRow, listCategories, listDistricts } from './reference.ts';

type List<T> = CachedJson<{ data: T[] }>;

interface Kept<T> {
  readonly list: List<T>;
  readonly at: number;
}

/** How long a process answers from a list that it has read, whatever has changed since. What a job may use is asked anew. */
const keptMs = 1000;

/** The lists that every company reads alike, read at most once a second. */
export class ReferenceLists {
  readonly categories: (now: Date) => Promise<List<CategoryRow>>;
  readonly districts: (now: Date) => Promise<List<DistrictRow>>;

  constructor(db: Db) {
    this.categories = keeping(() => listCategories(db));
    this.districts = keeping(() => listDistricts(db));
  }
}

function keeping<T>(read: () => Promise<T[]>): (now: Date) => Promise<List<T>> {
  let kept: Kept<T> | undefined;
  let reading: Promise<List<T>> | undefined;
  const readNow = async (at: number): Promise<List<T>> => {
    const list = cachedJson({ data: await read() });
    kept = { list, at };
    return list;
  };
  return async (now) => {
    const at = now.getTime();
    if (kept && Math.abs(at - kept.at) < keptMs) return kept.list;
    reading ??= readNow(at).finally(() => {
      reading = undefined;
    });
    return reading;
  };
}
