/** Signs a person in to the dashboard of a running service; the cookie of the session. */
export async function signIn(origin: string, email: string, password: string): Promise<string> {
  const address = `${origin}/dashboard/sign-in`;
  const form = await fetch(address);
  const token = /name="_csrf" value="([^"]+)"/.exec(await form.text())?.[1] ?? '';
  const answer = await fetch(address, {
    method: 'POST',
    headers: { Cookie: cookieOf(form), 'Content-Type': 'application/x-www-form-urlencoded' },
    body: new URLSearchParams({ _csrf: token, email, password }),
    redirect: 'manual',
  });
  if (answer.status !== 303) throw new Error(`the sign-in answered ${answer.status}`);
  return cookieOf(answer);
}

const cookieOf = ({ headers }: Response): string => headers.get('set-cookie')?.split(';')[0] ?? '';
