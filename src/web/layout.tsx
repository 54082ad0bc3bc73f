import type { ComponentChildren } from 'preact';
import { assetPaths } from './assets.ts';
import { PostForm } from './components/form.tsx';
import { LanguageSwitch } from './components/language-switch.tsx';
import { VisuallyHidden } from './components/text.tsx';
import { HtmlDocument } from './html-document.tsx';
import { usePageInfo } from './page-info.ts';
import { portals } from './portals.ts';
import { useT } from './texts/t.ts';

/** The document, the header and the notice around the content of a portal's page. */
export function Layout({ title, children }: { readonly title: string; readonly children: ComponentChildren }) {
  const { portal, notice } = usePageInfo();
  const t = useT();
  const { label, descriptionLabel } = portals[portal];
  return (
    <HtmlDocument
      title={`${title} · Vaga ${t(label)}`}
      description={t(descriptionLabel, { page: title })}
      scripts={[assetPaths.script]}
      isIndexed={false}
    >
      <Header />
      <main id="content" class="container" tabIndex={-1}>
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
  const { portal, person, address } = usePageInfo();
  const t = useT();
  const { base } = portals[portal];
  return (
    <header class="container">
      <div class="bar">
        <a class="brand" href={base}>
          <strong>Vaga</strong> {t(portals[portal].label)}
        </a>
        {address !== undefined && <LanguageSwitch next={address} />}
        {person && (
          <>
            <div class="person">
              <span>{person.description}</span>
              <a href={`${base}/account`}>
                <VisuallyHidden>{`${t('Your account')}: `}</VisuallyHidden>
                {person.email}
              </a>
            </div>
            <PostForm action={`${base}/sign-out`}>
              <button type="submit" class="secondary outline small">
                {t('Sign out')}
              </button>
            </PostForm>
          </>
        )}
      </div>
      {person && <Navigation />}
    </header>
  );
}

/** Marks the link of the current page, or of the section it belongs to. */
function Navigation() {
  const { portal, path } = usePageInfo();
  const t = useT();
  const { base, linkLabels } = portals[portal];
  const isCurrent = (href: string) => path === href || (href !== base && path.startsWith(`${href}/`));
  return (
    <nav aria-label={t('Pages')} class="pages">
      <ul>
        {Object.entries(linkLabels).map(([href, label]) => (
          <li key={href}>
            <a href={href} {...(isCurrent(href) ? { 'aria-current': 'page' } : {})}>
              {t(label)}
            </a>
          </li>
        ))}
      </ul>
    </nav>
  );
}
