/** Allowed targets of mailed links: this console and nothing else. */
import { invalid } from '../kernel/problem.ts'

const loopback = ['localhost', '127.0.0.1', '[::1]']

/** Throws 422 for a URL outside this console. A path counts as inside; on a developer's machine all its host names are equal. */
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
