import type { Response } from 'express';
import type { ComponentChildren } from 'preact';
import { renderToString } from 'preact-render-to-string';
import { PostForm } from './components/post-form.tsx';
import { VisuallyHidden } from './components/text.tsx';
import { HtmlDocument } from './html-document.tsx';
import { languages } from './language.ts';
import { type PageContent, PageRequestContext, pageRequestOf, usePageRequest } from './page.ts';
import { portals } from './portals.ts';
import { TContext, useT } from './texts/t.ts';

/** Sends a page of a portal. Everything is escaped, except job bodies in JobBody. */
export function sendPage(response: Response, { status, title, content }: PageContent): void {
  const request = pageRequestOf(response);
  const html = renderToString(
    <TContext.Provider value={request.t}>
      <PageRequestContext.Provider value={request}>
        <Layout title={title}>{content}</Layout>
      </PageRequestContext.Provider>
    </TContext.Provider>,
  );
  response.status(status).type('html').send(`<!DOCTYPE html>${html}`);
}

/** The document, the header and the notice around the content. */
function Layout({ title, children }: { readonly title: string; readonly children: ComponentChildren }) {
  const { portal, session, person } = usePageRequest();
  const t = useT();
  const { label, descriptionLabel } = portals[portal];
  const notice = session?.takeNotice();
  return (
    <HtmlDocument
      title={`${title} · Vaga ${t(label)}`}
      description={t(descriptionLabel, { page: title })}
      isIndexed={false}
    >
      <Header />
      <main id="content" class="container mt-4 mb-6" tabIndex={-1}>
        {person && 'company' in person && person.company.suspended && (
          <p class="alert">
            {t(
              'Your company is suspended. All its API requests are refused. {{activity}} has the reason; contact the administrator.',
              { activity: <a href={`${portals[portal].base}/activity`}>{t('Activity')}</a> },
            )}
          </p>
        )}
        {notice && (
          <p class="notice" role="status">
            {notice}
          </p>
        )}
        {children}
      </main>
    </HtmlDocument>
  );
}

function Header() {
  const { portal, person } = usePageRequest();
  const t = useT();
  const { base } = portals[portal];
  return (
    <header class="container mt-4">
      <div class="bar hstack justify-between">
        <a class="unstyled" href={base}>
          <strong>Vaga</strong> {t(portals[portal].label)}
        </a>
        <div class="person hstack">
          <LanguageSwitch />
          {person && (
            <>
              <span>{'company' in person ? person.company.name : t('Administrator')}</span>
              <a href={`${base}/account`}>
                <VisuallyHidden>{`${t('Your account')}: `}</VisuallyHidden>
                {person.email}
              </a>
              <PostForm action={`${base}/sign-out`}>
                <button type="submit" class="secondary small">
                  {t('Sign out')}
                </button>
              </PostForm>
            </>
          )}
        </div>
      </div>
      {person && <Navigation />}
    </header>
  );
}

/** A button for each other language, which returns to the page. */
function LanguageSwitch() {
  const { tag } = useT();
  const others = Object.entries(languages).filter(([, { t }]) => t.tag !== tag);
  return (
    <form method="post" action="/language">
      <input type="hidden" name="next" value={usePageRequest().address} />
      {others.map(([code, { name, t }]) => (
        <button key={code} type="submit" name="language" value={code} lang={t.tag} class="secondary small">
          {name}
        </button>
      ))}
    </form>
  );
}

/** Marks the link of the current page, or of the section it belongs to. */
function Navigation() {
  const { portal, path } = usePageRequest();
  const t = useT();
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
