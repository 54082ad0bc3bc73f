import type { Response } from 'express';
import type { VNode } from 'preact';
import { renderToString } from 'preact-render-to-string';
import { type Frame, FrameContext } from './frame.tsx';
import { Layout } from './layout.tsx';

/** Sends a whole page. Everything in it is escaped but for the body of a job, whose one door is JobBody. */
export function sendPage(response: Response, status: number, title: string, content: VNode, frame: Frame): void {
  const html = renderToString(
    <FrameContext.Provider value={frame}>
      <Layout title={title}>{content}</Layout>
    </FrameContext.Provider>,
  );
  response.status(status).type('html').send(`<!DOCTYPE html>${html}`);
}
