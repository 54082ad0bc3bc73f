import type { ComponentChildren } from 'preact';
import { assetPaths } from './assets.ts';
import { useFrame } from './frame.tsx';
import { PostForm } from './parts/post-form.tsx';
import { VisuallyHidden } from './parts/visually-hidden.tsx';
import { portals } from './portals.ts';

export function Layout({ title, children }: { readonly title: string; readonly children: ComponentChildren }) {
  const { portal, notice } = useFrame();
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
        <Head />
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

function Head() {
  const { portal, person } = useFrame();
  const { base, heading } = portals[portal];
  return (
    <header class="container">
      <div class="bar">
        <a class="brand" href={base}>
          <strong>Vaga</strong> {heading}
        </a>
        {person && (
          <div class="who">
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
      {person && <Links />}
    </header>
  );
}

/** The link of the page itself, or of what it belongs to, is marked; the base belongs to itself alone. */
function Links() {
  const { portal, links, path } = useFrame();
  const { base } = portals[portal];
  const isHere = (href: string) => path === href || (href !== base && path.startsWith(`${href}/`));
  return (
    <nav aria-label="Pages" class="pages">
      <ul>
        {links.map(({ href, text }) => (
          <li key={href}>
            <a href={href} {...(isHere(href) ? { 'aria-current': 'page' } : {})}>
              {text}
            </a>
          </li>
        ))}
      </ul>
    </nav>
  );
}
