import { describe, expect, it } from 'vitest'
import { fingerprintOf, isMasked, openSecret, sealSecret, secretColumns } from './secret.ts'

const place = { table: 'vendors', column: 'payment_identifier', id: 7 }

describe('a secret', () => {
  it('opens in its place alone, with its key alone', () => {
    const sealed = sealSecret('a key', place, '123456789')
    expect(openSecret('a key', place, sealed)).toBe('123456789')
    for (const other of [
      { ...place, id: 8 },
      { ...place, column: 'po_box' },
      { ...place, table: 'clients' },
    ])
      expect(() => openSecret('a key', other, sealed)).toThrow('unable to authenticate data')
    expect(() => openSecret('another key', place, sealed)).toThrow('sealed with another key')
  })

  it('does not open once a single bit is changed', () => {
    const sealed = sealSecret('a key', place, '123456789')
    for (let at = 0; at < sealed.length; at++) {
      const changed = Buffer.from(sealed)
      changed.writeUInt8(sealed.readUInt8(at) ^ 1, at)
      expect(() => openSecret('a key', place, changed)).toThrow(/unable to authenticate data|another key/)
    }
  })

  it('is never sealed the same way twice, and still found by its fingerprint', () => {
    expect(sealSecret('a key', place, '1234').equals(sealSecret('a key', place, '1234'))).toBe(false)
    expect(fingerprintOf('a key', 'po_box', '1234').equals(fingerprintOf('a key', 'po_box', '1234'))).toBe(true)
    expect(fingerprintOf('a key', 'po_box', '1234').equals(fingerprintOf('a key', 'po_box', '1235'))).toBe(false)
    expect(fingerprintOf('a key', 'po_box', '1234').equals(fingerprintOf('b key', 'po_box', '1234'))).toBe(false)
  })

  it('shows at most its last four characters and never more than half', () => {
    const last = (value: string) => secretColumns('a key', place, value)['payment_identifier_last4']
    expect(last('123456789')).toBe('6789')
    expect(last('12345')).toBe('45')
    expect(last('1')).toBe('')
    expect(secretColumns('a key', place, null)).toEqual({
      payment_identifier_encrypted: null,
      payment_identifier_last4: null,
      payment_identifier_fingerprint: null,
    })
  })

  it('is told from its mask', () => {
    expect(isMasked('•••••6789')).toBe(true)
    expect(isMasked('123456789')).toBe(false)
    expect(isMasked(null)).toBe(false)
  })
})
