import { execFile } from 'node:child_process';
import type { Config } from '../config.ts';
import type { Log } from '../log.ts';

/**
 * Tells systemd that the process serves, and three times per watchdog period that its event loop still runs (sd_notify(3)). Does nothing
 * under other service managers. Node has no Unix datagram sockets, so systemd's own program sends the messages.
 */
export function tellServiceManager({ serviceManager }: Config, log: Log): void {
  if (!serviceManager) return;
  const tell = (state: string): void => {
    execFile('systemd-notify', [state], (error) => {
      if (error) log.warn({ error, state }, 'systemd was not told');
    });
  };
  tell('READY=1');
  const { watchdogMs } = serviceManager;
  if (watchdogMs > 0) setInterval(tell, watchdogMs / 3, 'WATCHDOG=1').unref();
}
