import { expect, test } from 'vitest'
import { networkOf } from './networks.ts'

test('a network is the /24 of IPv4 and the /64 of IPv6, however it is written', () => {
  expect(networkOf('192.0.2.17')).toBe('192.0.2')
  expect(networkOf('::ffff:192.0.2.17')).toBe('192.0.2')
  expect(networkOf('2001:db8:1:2:3:4:5:6')).toBe('2001:db8:1:2')
  expect(networkOf('2001:DB8:1:2::6')).toBe('2001:db8:1:2')
  expect(networkOf('2001:db8::1')).toBe('2001:db8:0:0')
  expect(networkOf('::1')).toBe('0:0:0:0')
  expect(networkOf(null)).toBe('unknown')
})
