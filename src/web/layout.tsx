import type { ComponentChildren } from 'preact';
import { assetPaths } from './assets.ts';
import { PostForm } from './components/form.tsx';
import { VisuallyHidden } from './components/text.tsx';
import { HtmlDocument } from './html-document.tsx';
import { usePageInfo } from './page-info.ts';
import { portals } from './portals.ts';

/** The document, the header and the notice around the content of a portal's page. */
export function Layout({ title, children }: { readonly title: string; readonly children: ComponentChildren }) {
  const { portal, notice } = usePageInfo();
  const { heading, description } = portals[portal];
  return (
    <HtmlDocument
      title={`${title} · Vaga ${heading}`}
      description={`${title}: ${description}`}
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
  const { portal, person } = usePageInfo();
  const { base, heading } = portals[portal];
  return (
    <header class="container">
      <div class="bar">
        <a class="brand" href={base}>
          <strong>Vaga</strong> {heading}
        </a>
        {person && (
          <div class="person">
            <span>
              {person.description}{' '}
              <a href={`${base}/account`}>
                <VisuallyHidden>Your account: </VisuallyHidden>
                {person.email}
              </a>
            </span>
            <PostForm action={`${base}/sign-out`}>
              <button type="submit" class="secondary outline small">
                Sign out
              </button>
            </PostForm>
          </div>
        )}
      </div>
      {person && <Navigation />}
    </header>
  );
}

/** Marks the link of the current page, or of the section it belongs to. */
function Navigation() {
  const { portal, path } = usePageInfo();
  const { base, links } = portals[portal];
  const isCurrent = (href: string) => path === href || (href !== base && path.startsWith(`${href}/`));
  return (
    <nav aria-label="Pages" class="pages">
      <ul>
        {links.map(({ href, text }) => (
          <li key={href}>
            <a href={href} {...(isCurrent(href) ? { 'aria-current': 'page' } : {})}>
              {text}
            </a>
          </li>
        ))}
      </ul>
    </nav>
  );
}
