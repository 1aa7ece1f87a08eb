/** A new bill: from nothing, or from a document of the inbox that the address names. */
import { useState } from 'react'
import { usePathId, useSearchText } from '../../kernel/navigation.tsx'
import { NewBill, type SavedNote } from './bill-form-pages.tsx'
import { ScanEntry } from './scan-entry.tsx'

export function NewBillPage() {
  const clientId = usePathId('client_id')
  const scanId = useScanId()
  // Said in the form of the next document, which is another one.
  const [saved, setSaved] = useState<SavedNote | null>(null)
  if (scanId === null) return <NewBill />
  return <ScanEntry key={scanId} clientId={clientId} scanId={scanId} saved={saved} onSaved={setSaved} />
}

function useScanId(): number | null {
  const { scan_id: text = '' } = useSearchText()
  return /^[1-9]\d{0,14}$/.test(text) ? Number(text) : null
}
