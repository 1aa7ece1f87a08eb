/** Returns the network of an address: the /24 for IPv4, the /64 for IPv6. An attacker who sprays changes the last digits first. */
export function networkOf(ip: string | null): string {
  if (!ip) return 'unknown'
  const plain = ip.replace(/^::ffff:(?=\d+\.)/i, '')
  if (!plain.includes(':')) return plain.split('.').slice(0, 3).join('.')
  const [head = '', tail = ''] = plain.split('::')
  const groups = (text: string): string[] => text.split(':').filter(Boolean)
  const missing = plain.includes('::') ? 8 - groups(head).length - groups(tail).length : 0
  const all = [...groups(head), ...Array.from({ length: Math.max(0, missing) }, () => '0'), ...groups(tail)]
  return all.slice(0, 4).join(':').toLowerCase()
}
