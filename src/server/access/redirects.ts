/** Where a mailed link may lead: to this console and nowhere else. */
import { invalid } from '../kernel/problem.ts'

const loopback = ['localhost', '127.0.0.1', '[::1]']

/** Throws 422 for an address outside this console. A path is one inside it; on a developer's machine its names are all one. */
export function checkRedirect(given: string | undefined, publicUrl: string): void {
  if (given === undefined || given === '' || isOwn(given, new URL(publicUrl))) return
  throw invalid({ redirect_url: ['redirect_url must lead to this console'] })
}

function isOwn(given: string, own: URL): boolean {
  // A browser reads '//host' and '/\host' as another host.
  if (given.startsWith('/')) return URL.canParse(given, own.origin) && new URL(given, own.origin).origin === own.origin
  if (!URL.canParse(given)) return false
  const { origin, protocol, hostname } = new URL(given)
  return origin === own.origin || (protocol === 'http:' && loopback.includes(hostname) && loopback.includes(own.hostname))
}
