import { Camera } from 'lucide-react'
import { RecordDocuments } from '../documents/documents.ts'
import { Can } from '../kernel/permissions.tsx'
import { EmptyState } from '../ui/states.tsx'
import styles from './site-surveys.module.css'

/**
 * The documents of the facility, read-only; photos of the survey are kept there. The form for adding them opens in a new tab, so that the
 * survey's typed values stay.
 */
export function SurveyDocuments({ clientId, facilityId }: { clientId: number; facilityId: number | null }) {
  if (facilityId === null)
    return <EmptyState title="No facility is chosen yet">Its documents stand here. Choose it in the step General.</EmptyState>
  return (
    <RecordDocuments
      clientId={clientId}
      type="Facility"
      id={facilityId}
      of="facility"
      tools={
        <Can do="facility.update">
          <a
            className={styles.addDocument}
            href={`/clients/${clientId}/facilities/${facilityId}/documents/new`}
            target="_blank"
            rel="noreferrer"
          >
            <Camera size={14} aria-hidden="true" />
            Add a photo or a document
          </a>
        </Can>
      }
    />
  )
}
