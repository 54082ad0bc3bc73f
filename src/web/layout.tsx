import type { ComponentChildren } from 'preact';
import { assetPaths } from './assets.ts';
import { PostForm } from './components/form.tsx';
import { VisuallyHidden } from './components/text.tsx';
import { usePageInfo } from './page-info.ts';
import { portals } from './portals.ts';

/** The HTML document around a portal's page. */
export function Layout({ title, children }: { readonly title: string; readonly children: ComponentChildren }) {
  const { portal, notice } = usePageInfo();
  return (
    <html lang="en">
      <head>
        <meta charset="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <meta name="color-scheme" content="light dark" />
        <meta name="robots" content="noindex" />
        <meta name="description" content={`${title}: ${portals[portal].description}`} />
        <title>{`${title} · Vaga ${portals[portal].heading}`}</title>
        <link rel="icon" href="data:," />
        <link rel="stylesheet" href={assetPaths.pico} />
        <link rel="stylesheet" href={assetPaths.style} />
        <script src={assetPaths.script} defer />
      </head>
      <body>
        <a class="skip" href="#content">
          Skip to the content
        </a>
        <Header />
        <main id="content" class="container" tabIndex={-1}>
          {notice && (
            <p class="notice" role="status">
              {notice}
            </p>
          )}
          {children}
        </main>
      </body>
    </html>
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
