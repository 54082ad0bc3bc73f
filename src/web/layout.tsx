import type { Response } from 'express';
import type { ComponentChildren } from 'preact';
import { renderToString } from 'preact-render-to-string';
import { searchTextMax } from '../operations/kit/fields.ts';
import { endMaintenance } from '../operations/maintenance/people/set-maintenance.ts';
import { findPath } from './admin/paths.ts';
import { assetPaths } from './assets.ts';
import { Action } from './components/operation-form.tsx';
import { LanguageButtons, PostForm } from './components/post-form.tsx';
import { Instant, Notice, Support, VisuallyHidden } from './components/text.tsx';
import {
  isForm,
  type PageContent,
  type PageRequest,
  PageRequestContext,
  pageRequestOf,
  usePageRequest,
} from './page.ts';
import { portals } from './portals.ts';
import { isolated } from './texts/isolated.ts';
import type { Translate } from './texts/language.ts';

/** Sends a page of a portal. Everything is escaped, except job bodies in SanitizedHtml. */
export function sendPage(response: Response, shown: PageContent): void {
  response
    .status(shown.status)
    .type('html')
    .send(htmlOf(pageRequestOf(response), shown));
}

export function htmlOf(request: PageRequest, { title, content, path = request.path }: PageContent): string {
  const html = renderToString(
    <PageRequestContext.Provider value={{ ...request, path }}>
      <Layout title={title}>{content}</Layout>
    </PageRequestContext.Provider>,
  );
  return `<!DOCTYPE html>${html}`;
}

/** The document, the header and the notice around the content. */
function Layout({ title, children }: { readonly title: string; readonly children: ComponentChildren }) {
  const { portal, t, session, person } = usePageRequest();
  const { label, descriptionLabel } = portals[portal];
  const { notice, undo } = session?.takeNotice() ?? {};
  return (
    <HtmlDocument
      t={t}
      title={`${isolated(title)} · Vaga ${t(label)}`}
      description={t(descriptionLabel, { page: title })}
      isIndexed={false}
    >
      <Header />
      <main id="content" class="container mt-4 mb-6" tabIndex={-1}>
        {person && 'company' in person && <p class="printed">{person.company.name}</p>}
        <Closed />
        {notice && (
          <Notice>
            <p>{notice}</p>
            {undo && (
              <PostForm action={undo.action}>
                {undo.fields.map(([name, value]) => (
                  <input key={value} type="hidden" name={name} value={value} />
                ))}
                <button type="submit" class="secondary small" accesskey="u">
                  {t('Undo')}
                </button>
              </PostForm>
            )}
          </Notice>
        )}
        {children}
      </main>
    </HtmlDocument>
  );
}

/** Says on every page why the API is closed: to everybody, or to the reader's company. */
function Closed() {
  const { t, person, maintenance } = usePageRequest();
  const { suspendedAt = null, suspensionReason = null } = person && 'company' in person ? person.company : {};
  const { since, until, reason } = maintenance ?? {};
  // The reason comes last: a person has typed it, and it may end without a full stop.
  const about = (since: Date | undefined, more: ComponentChildren, reason: string | null | undefined) => (
    <>
      {since && <> {t('Since {{at}}.', { at: <Instant at={since} /> })}</>}
      {more}
      {reason && ` ${t('Reason: {{reason}}', { reason })}`}
    </>
  );
  return (
    <>
      {maintenance && (
        <div class="closed" id="maintenance">
          {t('The API is in maintenance. All requests are refused.')}
          {about(
            since === undefined ? undefined : new Date(since),
            until && <> {t('Expected until {{at}}.', { at: <Instant at={new Date(until)} /> })}</>,
            reason,
          )}
          {person?.actor.kind === 'administrator' && (
            <Action operation={endMaintenance} href="/admin/maintenance/end" />
          )}
        </div>
      )}
      {suspendedAt && (
        <p class="closed">
          {t('Your company is suspended. All its API requests are refused.')}
          {about(suspendedAt, <Support />, suspensionReason)}
        </p>
      )}
    </>
  );
}

function Header() {
  const { portal, t, person } = usePageRequest();
  const { base } = portals[portal];
  return (
    <header class="container mt-4 hstack justify-between">
      <a class="unstyled" href={base}>
        <strong>Vaga</strong> {t(portals[portal].label)}
      </a>
      {person ? (
        <details class="menu">
          <summary>{t('Menu')}</summary>
          {portal === 'administrator' && <FindBox />}
          <div class="person hstack">
            <LanguageSwitch />
            {'company' in person && <span>{person.company.name}</span>}
            <a href={`${base}/account`}>
              <VisuallyHidden>{`${t('Your account')}: `}</VisuallyHidden>
              {person.email}
            </a>
            <PostForm action={`${base}/sign-out`}>
              <button type="submit" class="secondary small">
                {t('Sign out')}
              </button>
            </PostForm>
          </div>
          <Navigation />
        </details>
      ) : (
        <LanguageSwitch />
      )}
    </header>
  );
}

/** The search box in an administrator's menu. The search page leaves it out, because its filter has the same field. */
function FindBox() {
  const { t, path } = usePageRequest();
  return path === findPath ? null : (
    <search>
      <form action={findPath} class="hstack">
        <input
          type="search"
          name="text"
          aria-label={t('Find a company, job, request or person')}
          placeholder={t('Name, title, ID or e-mail')}
          maxLength={searchTextMax}
          accesskey="f"
          required
        />
        <button type="submit" class="secondary small">
          {t('Find')}
        </button>
      </form>
    </search>
  );
}

/** Switches the language and returns to the same page. The answer to a form has none, because no address shows it again. */
export function LanguageSwitch() {
  const { address, method } = usePageRequest();
  return isForm({ method }) ? null : (
    <form method="post" action="/language">
      <input type="hidden" name="next" value={address} />
      <LanguageButtons />
    </form>
  );
}

/** Marks the link of the current page, or of the section it belongs to. */
function Navigation() {
  const { portal, t, path } = usePageRequest();
  const { base, linkLabels } = portals[portal];
  const isCurrent = (href: string) => path === href || (href !== base && path.startsWith(`${href}/`));
  return (
    <nav aria-label={t('Pages')} class="pages">
      <ul class="hstack unstyled">
        {Object.entries(linkLabels).map(([href, label]) => (
          <li key={href}>
            <a href={href} class="unstyled" {...(isCurrent(href) ? { 'aria-current': 'page' } : {})}>
              {t(label)}
            </a>
          </li>
        ))}
      </ul>
    </nav>
  );
}

interface HtmlDocumentProps {
  readonly t: Translate;
  readonly title: string;
  readonly description: string;
  readonly isIndexed: boolean;
  readonly children: ComponentChildren;
}

/** The HTML document of every page. Its children are a header and an element with the id `content`. */
export function HtmlDocument({ t, ...props }: HtmlDocumentProps) {
  return (
    <html lang={t.tag}>
      <head>
        <meta charset="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <meta name="color-scheme" content="light dark" />
        {!props.isIndexed && <meta name="robots" content="noindex" />}
        <meta name="description" content={props.description} />
        <title>{props.title}</title>
        <link rel="icon" href="/favicon.ico" type="image/svg+xml" />
        <link rel="stylesheet" href={assetPaths.oat} />
        <link rel="stylesheet" href={assetPaths.style} />
        <script
          src={assetPaths.script}
          defer
          data-copy={t('Copy')}
          data-copied={t('Copied')}
          data-selected={t('Selected. Copy it with the keyboard.')}
          data-show={t('Show password')}
        />
      </head>
      <body>
        <a class="skip" href="#content">
          {t('Skip to the content')}
        </a>
        {props.children}
      </body>
    </html>
  );
}
