import { existsSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import type { Server } from 'node:http';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { expect } from 'chai';
import { type Browser, type BrowserContext, type BrowserContextOptions, chromium, type Page } from 'playwright-core';
import { translator } from '../../src/web/texts/language.ts';
import { addressOf } from '../helper/address.ts';
import { server } from '../helper/fixtures.ts';
import { password } from '../helper/page-client.ts';
import { patienceMs } from '../helper/test-database.ts';

/** Debian's path; CHROMIUM_PATH overrides it. */
const executablePath = process.env.CHROMIUM_PATH ?? '/usr/bin/chromium';
const quiet = 'gpu quic background-networking component-update sync'.split(' ').map((name) => `--disable-${name}`);
/** Otherwise each context starts a second process, because the pages' opener policy asks for one. */
const fewProcesses = '--renderer-process-limit=1';
const args = ['--no-first-run', fewProcesses, ...quiet, ...(process.getuid?.() === 0 ? ['--no-sandbox'] : [])];

/** A folder for pictures of the pages; they take a third of the time of these tests. */
const { SCREENSHOTS: screenshots } = process.env;
const axeSource = readFile(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');

let browser: Promise<Browser> | undefined;
after(async () => (await browser)?.close());

/** Tests in a real browser, which all files share; skipped if none is installed. */
export function describeInBrowser(title: string, tests: (visitor: () => Visitor) => void): void {
  describe(title, () => {
    let visitor: Visitor | undefined;
    before(function findBrowser() {
      if (!existsSync(executablePath)) this.skip();
    });
    beforeEach(async function openVisitor() {
      browser ??= chromium.launch({ executablePath, args, timeout: patienceMs });
      visitor = await Visitor.open(await browser);
    });
    afterEach(() => visitor?.leave());
    tests(() => {
      if (!visitor) throw new Error('there is no browser');
      return visitor;
    });
  });
}

export const translate = { en: translator('en-GB', 'en'), pt: translator('pt-PT', 'pt') };

/**
 * Waits until the reference's renderer has applied the colour scheme (a class) and no colour is fading: when an inherited colour has faded,
 * its children's colours begin to fade.
 */
const untilDrawn = (scheme: string) => `(async () => {
  const isDrawn = () => !document.body.matches('[class$=-mode]:not(.${scheme}-mode)')
    && !document.getAnimations().some((one) => one instanceof CSSTransition && one.playState === 'running');
  while (!isDrawn()) await new Promise(requestAnimationFrame);
})()`;

/** Waits until a decision on the page counts; `shownAt` is in vaga.js. */
const untilSeen = `(async () => {
  while (typeof shownAt === 'number' && performance.now() - shownAt < 700)
    await new Promise((resume) => setTimeout(resume, shownAt + 700 - performance.now()));
})()`;

/**
 * Finds the cells of a page that are outside the window, and on a phone the controls that are too small to touch. Links in tables may be
 * narrow.
 */
const misfits = (sizeMin: number) => `location.pathname.match(/^.(dashboard|admin)/) ? [
  [document.documentElement, ...document.querySelectorAll('section:has(> table)')].filter((one) => one.scrollWidth > one.clientWidth),
  ...[['main table tbody tr > *', 0], ['button, table .actions a', ${sizeMin}], ['main table a', ${sizeMin}, 44]].map(([selector, min, narrow = 0]) =>
    [...document.querySelectorAll(selector)].filter((one) => {
      const { x, right, width, height } = one.getBoundingClientRect();
      return height > 0 && (Math.min(Math.max(width, narrow), height) < min || x < 0 || Math.floor(right) > innerWidth);
    })),
].flat().map((one) => one.outerHTML.slice(0, 200)) : []`;

/** Finds links in tables whose middle is covered, except by the hairline between two lines of a link. */
const covered = `[...document.querySelectorAll('main table a')].filter((one) => {
  one.scrollIntoView({ block: 'center' });
  const [{ x, y, width, height } = { height: 0 }] = one.getClientRects();
  const isAt = (offset) => one.contains(document.elementFromPoint(x + width / 2, y + height / 2 + offset));
  return height > 0 && ![-1, 1].some(isAt);
}).map((one) => one.outerHTML.slice(0, 200))`;

/** A person with a browser context. A content security policy violation or a script error fails the test. */
export class Visitor {
  readonly page: Page;
  readonly #browser: Browser;
  readonly #context: BrowserContext;
  readonly #problems: string[] = [];

  private constructor(browser: Browser, context: BrowserContext, page: Page) {
    this.#browser = browser;
    this.#context = context;
    this.page = page;
    page.on('pageerror', (error) => this.#problems.push(String(error)));
    page.on('console', (message) => {
      if (message.text().includes('Content Security Policy')) this.#problems.push(message.text());
    });
  }

  static async open(browser: Browser): Promise<Visitor> {
    const permissions = ['clipboard-read', 'clipboard-write'];
    return Visitor.#in(browser, { permissions, reducedMotion: 'reduce' });
  }

  static async #in(browser: Browser, options: BrowserContextOptions): Promise<Visitor> {
    const context = await browser.newContext(options);
    context.setDefaultTimeout(patienceMs);
    return new Visitor(browser, context, await context.newPage());
  }

  /** Another one, in the same browser. */
  another(javaScriptEnabled: boolean): Promise<Visitor> {
    return Visitor.#in(this.#browser, { javaScriptEnabled });
  }

  /** Opens a path of the service, or of another server. */
  async goTo(path: string, at: Server = server()): Promise<void> {
    await this.page.goto(`${addressOf(at)}${path}`);
  }

  /** Signs in with the password of all test accounts. With Portuguese, the browser asks for that language from then on. */
  async signIn(base: '/dashboard' | '/admin', email: string, language: keyof typeof translate = 'en'): Promise<void> {
    if (language === 'pt') await this.page.setExtraHTTPHeaders({ 'Accept-Language': language });
    const t = translate[language];
    await this.goTo(base);
    await this.page.getByLabel(t('E-mail address')).fill(email);
    await this.page.getByLabel(t('Password')).fill(password);
    await this.press(t('Sign in'));
  }

  /** Opens every `details`, because some contain tables. */
  async openDetails(): Promise<void> {
    await this.page.evaluate(`for (const element of document.querySelectorAll('details')) element.open = true`);
  }

  /** Presses a button and waits for the next page. */
  async press(name: string | RegExp): Promise<void> {
    await this.untilSeen();
    await this.#click('button', name);
  }

  /** Presses Alt and a key. Playwright's keyboard leaves out the character that a browser compares with access keys. */
  async pressAccessKey(key: string): Promise<void> {
    const session = await this.#context.newCDPSession(this.page);
    const stroke = { modifiers: 1, key, windowsVirtualKeyCode: key.toUpperCase().charCodeAt(0) };
    await session.send('Input.dispatchKeyEvent', { type: 'keyDown', ...stroke, text: key, unmodifiedText: key });
    await session.send('Input.dispatchKeyEvent', { type: 'keyUp', ...stroke });
    await session.detach();
  }

  follow(name: string | RegExp): Promise<void> {
    return this.#click('link', name);
  }

  /** Waits as long as a person who looks at a page before they decide. */
  async untilSeen(): Promise<void> {
    await this.page.evaluate(untilSeen);
  }

  async #click(role: 'button' | 'link', name: string | RegExp): Promise<void> {
    const loaded = this.page.waitForEvent('load');
    await this.page.getByRole(role, { name }).first().click();
    await loaded;
  }

  /** The visible text with single spaces. */
  async text(selector = 'main'): Promise<string> {
    return (await this.page.locator(selector).first().innerText()).replace(/\s+/g, ' ').trim();
  }

  /**
   * Runs axe, checks the width of a phone, and takes screenshots into SCREENSHOTS. In dark mode only checks that depend on colours run, in
   * one language. `part` limits axe: on the whole reference, one run takes forty seconds.
   */
  async look(name: string, part = 'html'): Promise<void> {
    await this.#check(name, 'light', part);
    if (!name.endsWith('-pt')) await this.#check(name, 'dark', part, ['color-contrast', 'link-in-text-block']);
    await this.page.emulateMedia({ colorScheme: 'light' });
    expect(await this.page.evaluate(misfits(0)), name).to.deep.equal([]);
    const desktop = this.page.viewportSize();
    // The width and the words, such as "2 minutes ago", decide where a line ends.
    for (const width of [320, 325, 330, 335, 340, 390]) {
      await this.page.setViewportSize({ width, height: 844 });
      const [overflow, ...faults] = await this.page.evaluate<[number, string[], string[]]>(
        `[document.scrollingElement.scrollWidth - window.innerWidth, ${misfits(44)}, ${covered}]`,
      );
      expect(overflow, `${name} is wider than ${width} px`).to.be.at.most(0);
      expect(faults, `${name} at ${width} px`).to.deep.equal([[], []]);
    }
    await this.page.evaluate('scrollTo(0, 0)');
    await this.#screenshot(`${name}-phone`);
    if (desktop) await this.page.setViewportSize(desktop);
  }

  async #check(name: string, colorScheme: 'light' | 'dark', part: string, runOnly?: string[]): Promise<void> {
    const about = `${name}, ${colorScheme}`;
    await this.page.emulateMedia({ colorScheme });
    await this.page.evaluate(untilDrawn(colorScheme));
    if (await this.page.evaluate(`typeof axe === 'undefined'`)) await this.page.evaluate(await axeSource);
    const options = JSON.stringify({ ...(runOnly ? { runOnly } : { rules }), resultTypes: ['violations'] });
    const { violations } = await this.page.evaluate<AxeResult>(`axe.run(${JSON.stringify(part)}, ${options})`);
    const found = violations.flatMap(({ id, nodes }) =>
      nodes.map(({ html, failureSummary }) => [id, html, failureSummary]),
    );
    expect(found.join('\n'), about).to.equal('');
    await this.#screenshot(`${name}-${colorScheme}`);
  }

  /** Takes a picture of the whole page, or of the visible part if the page is too tall. */
  async #screenshot(name: string): Promise<void> {
    if (!screenshots) return;
    const height = await this.page.evaluate<number>('document.documentElement.scrollHeight');
    await this.page.screenshot({ path: join(screenshots, `${name}.png`), fullPage: height < 10_000 });
  }

  async leave(): Promise<void> {
    await this.#context.close();
    expect(this.#problems).to.deep.equal([]);
  }
}

/** WCAG 2.2; off in axe by default. */
const rules = { 'target-size': { enabled: true } };

interface AxeResult {
  readonly violations: readonly { id: string; nodes: readonly { html: string; failureSummary: string }[] }[];
}
