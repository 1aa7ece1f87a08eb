/** What bill entry uses of scanned documents. */
export { entryHref, nextScan, splitHref, useListOrder, useScan } from './scan-document.ts'
export { ScanFacts, ScanNotes } from './scan-facts.tsx'
export { changeScans } from './use-scans.ts'
