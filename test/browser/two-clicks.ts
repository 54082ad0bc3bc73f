import { setTimeout } from 'node:timers/promises';
import type { Page } from 'playwright-core';
import { portOf } from '../helper/address.ts';
import { server } from '../helper/fixtures.ts';
import { TcpProxy } from '../helper/tcp-proxy.ts';
import type { Visitor } from './browser.ts';
import type { Work } from './clicked-forms.ts';

/** How somebody clicks twice. */
export interface TwoClicks {
  readonly hasScripts: boolean;
  /** What a request and its answer wait together. */
  readonly latencyMs: number;
  /** Between the clicks. Without it, the second comes as soon as the next page is painted. */
  readonly gapMs?: number;
  /** What the second click hits: the same place, or what acts on the next page, because any page may have been scrolled. */
  readonly hits: 'same place' | 'what acts';
}

/** What the second click hit, and for how long that can have been in sight at most. */
export interface Hit {
  readonly what: string;
  readonly shownMs: number;
}

/** What changes something, and on the page of a secret also what leads away. */
const acting =
  'main form[method=post] button[type=submit]:not([name=language]), body:has(#secret) :is(a, [type=submit])';

/** One of these, and where it is. */
const landing = (nth: number) => `(() => {
  const all = [...document.querySelectorAll('${acting}')].filter((one) => one.getClientRects().length > 0);
  const one = all[${nth} % all.length] ?? document.body;
  one.scrollIntoView({ block: 'center' });
  const { x, y, width, height } = one.getClientRects()[0];
  const shownMs = performance.now() - performance.getEntriesByType('navigation')[0].responseStart;
  return { what: one.outerHTML.slice(0, 120), shownMs, x: x + width / 2, y: y + height / 2 };
})()`;

const isPainted = `performance.getEntriesByType('paint').length > 0`;

/** How long a person looks at a page before they click; by the service's clock and the browser's more than the 700 ms that it takes. */
const lookMs = 750;

type Landing = Hit & { readonly x: number; readonly y: number };

/** A browser's page behind a slow line. */
export class Clicker {
  readonly page: Page;
  readonly #proxy: TcpProxy;
  #requests = 0;
  #pages = 0;

  private constructor(page: Page, proxy: TcpProxy) {
    this.page = page;
    this.#proxy = proxy;
    page.on('framenavigated', () => this.#pages++);
    page.on('request', () => this.#requests++);
    page.on('requestfinished', () => this.#requests--);
    page.on('requestfailed', () => this.#requests--);
  }

  static async of({ page }: Visitor): Promise<Clicker> {
    return new Clicker(page, await TcpProxy.to({ host: '127.0.0.1', port: portOf(server()) }));
  }

  /** Opens the page and fills in the form, looks at it, clicks twice over the slow connection, and waits until nothing follows. */
  async click(work: Work, { latencyMs, gapMs, hits }: TwoClicks, nth: number): Promise<Hit> {
    this.#proxy.slow(0);
    await this.#open(work);
    const place = await this.#placeOf(work.button);
    // Each way takes half of it.
    this.#proxy.slow(latencyMs / 2);
    const { mouse } = this.page;
    const [began, pages] = [performance.now(), this.#pages];
    const pause = gapMs === undefined ? this.#nextPainted() : setTimeout(gapMs);
    await mouse.click(place.x, place.y);
    await pause;
    const asked = performance.now();
    const isActing = hits === 'what acts' && this.#pages > pages;
    const found = isActing ? await this.#ask<Landing>(landing(nth)) : undefined;
    const { x, y } = found ?? place;
    await mouse.click(x, y);
    const clicked = performance.now();
    await this.#settled();
    return found
      ? { ...found, shownMs: found.shownMs + clicked - asked }
      : { what: 'the same place', shownMs: clicked - began - latencyMs };
  }

  async #open({ client, page, form, typed }: Work): Promise<void> {
    const { page: here } = this;
    const own = [...client.cookies].map(([name, value]) => ({ name, value, domain: '127.0.0.1', path: '/' }));
    await here.context().clearCookies();
    await here.context().addCookies(own);
    await here.goto(`http://127.0.0.1:${this.#proxy.port}${page}`);
    if (form === undefined) return;
    const fields = `${form} :is(input:not([type=hidden], [type=checkbox]), textarea):is([required], #reason)`;
    const namesOf = (controls: string) =>
      here.evaluate<string[]>(`[...document.querySelectorAll(${JSON.stringify(controls)})].map(({ id }) => id)`);
    for (const name of await namesOf(fields)) await here.locator(`${form} #${name}`).fill(typed[name] ?? '');
    for (const name of await namesOf(`${form} select:invalid`))
      await here.locator(`${form} #${name}`).selectOption(typed[name] ?? '');
  }

  async #placeOf(button: string) {
    const target = this.page.locator(button).first();
    await setTimeout(lookMs);
    // Waits until it takes clicks.
    await target.click({ trial: true });
    const { x, y, width, height } = (await target.boundingBox()) ?? { x: 0, y: 0, width: 0, height: 0 };
    return { x: x + width / 2, y: y + height / 2 };
  }

  async #nextPainted(): Promise<void> {
    await this.page.waitForEvent('framenavigated');
    while (!(await this.#ask<boolean>(isPainted))) await setTimeout(1);
  }

  /** A page that is just being replaced is asked again. */
  async #ask<T>(script: string): Promise<T> {
    for (;;)
      try {
        return await this.page.evaluate<T>(script);
      } catch (error) {
        if (!/context|navigat/i.test(String(error))) throw error;
      }
  }

  async #settled(): Promise<void> {
    for (let calm = 0; calm < 3; await setTimeout(20)) {
      const isComplete = this.#requests === 0 && (await this.#ask('document.readyState')) === 'complete';
      calm = isComplete && this.#requests === 0 ? calm + 1 : 0;
    }
  }

  close(): void {
    this.#proxy.close();
  }
}
