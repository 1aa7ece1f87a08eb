/** Client vendor numbers from a CSV file. A client has one per vendor, so the vendor is the key. */
import { clientVendorNumberImport } from '#contract/clients/import-reference.ts'
import type { ImportTarget } from '../kernel/imports/import-target.ts'

export function clientVendorNumberTarget(source: ImportTarget['source']): ImportTarget {
  return { kind: clientVendorNumberImport, source, may: { create: 'client.update', update: 'client.update' } }
}
