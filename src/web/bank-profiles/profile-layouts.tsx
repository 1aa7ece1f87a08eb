/** The layouts of a bank profile: which one is in force for each format, and the editor of the chosen one. */
import { useQuery } from '@tanstack/react-query'
import { profileLayoutCalls, type ProfileLayout } from '#contract/originating-profiles/profile-layout.ts'
import { usePathId, useSearchText, withSearch } from '../kernel/navigation.tsx'
import { useCan } from '../kernel/permissions.tsx'
import { NewYorkTime } from '../kernel/new-york-time.tsx'
import { apiQuery } from '../kernel/query.ts'
import { RecordGate } from '../kernel/record-gate.tsx'
import { UiLink } from '../ui/link.tsx'
import { Breadcrumbs, PageHeader } from '../ui/page-header.tsx'
import plain from '../ui/plain-table.module.css'
import styles from './bank-profiles.module.css'
import { ProfileLayoutEditor } from './profile-layout-editor.tsx'

const profiles = '/originating_profiles'

export function ProfileLayouts() {
  const id = usePathId('id')
  const { format } = useSearchText()
  const asked = useQuery(apiQuery(profileLayoutCalls.list, { params: { id } }))
  return (
    <RecordGate asked={asked}>
      {({ profile, profile_layouts: layouts }) => {
        const chosen = layouts.find((one) => one.format === format)
        return (
          <div className={styles.layouts}>
            <Breadcrumbs
              items={[
                { label: 'Bank Profiles', href: profiles },
                { label: `${profile.client_name}: ${profile.name}`, href: `${profiles}/${id}/edit` },
                { label: 'Layouts' },
              ]}
            />
            <PageHeader title="Layouts" />
            <LayoutTable profileId={id} layouts={layouts} chosen={chosen?.format} />
            {chosen && <ChosenLayout key={`${chosen.format} ${chosen.newest_version}`} profile={profile} chosen={chosen} />}
          </div>
        )
      }}
    </RecordGate>
  )
}

interface LayoutTableProps {
  readonly profileId: number
  readonly layouts: readonly ProfileLayout[]
  readonly chosen: string | undefined
}

function LayoutTable({ profileId, layouts, chosen }: LayoutTableProps) {
  const mayEdit = useCan('global_batch.update')
  const hrefOf = (format: string) => withSearch(`${profiles}/${profileId}/layouts`, { format })
  return (
    <section className={plain.scroll} aria-label="Layouts">
      <table className={plain.table} aria-label="Layouts of the bank profile">
        <thead>
          <tr>
            <th scope="col">Format</th>
            <th scope="col">Edit</th>
            <th scope="col">In force</th>
            <th scope="col">Own versions</th>
          </tr>
        </thead>
        <tbody>
          {layouts.map(({ format, label, in_force, newest_version: versions, fixed_because: fixed }) => (
            <tr key={format} aria-current={format === chosen ? 'true' : undefined}>
              <th scope="row">{label}</th>
              <td className={plain.text}>
                {fixed ?? <UiLink href={hrefOf(format)}>{mayEdit ? `Edit ${label}` : `Look at ${label}`}</UiLink>}
              </td>
              <td>{in_force}</td>
              <td>{versions === 0 ? 'None' : versions}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </section>
  )
}

interface ChosenProps {
  readonly profile: { readonly id: number; readonly client_name: string }
  readonly chosen: ProfileLayout
}

function ChosenLayout({ profile, chosen }: ChosenProps) {
  if (chosen.layout === null) return <p>{chosen.fixed_because}</p>
  return (
    <>
      <ProfileLayoutEditor profile={profile} chosen={chosen} stored={chosen.layout} />
      <Versions chosen={chosen} />
    </>
  )
}

function Versions({ chosen: { versions, version: inForce } }: { chosen: ProfileLayout }) {
  if (versions.length === 0) return null
  return (
    <section className={plain.scroll} aria-label="Versions">
      <table className={plain.table} aria-label="Versions of the layout">
        <thead>
          <tr>
            <th scope="col">Version</th>
            <th scope="col">Saved</th>
            <th scope="col">By</th>
            <th scope="col">Files</th>
          </tr>
        </thead>
        <tbody>
          {versions.map(({ version, created_at, created_by_name, file_count }) => (
            <tr key={version}>
              <th scope="row">{version === inForce ? `${version}, in force` : version}</th>
              <td>
                <NewYorkTime at={created_at} />
              </td>
              <td>{created_by_name}</td>
              <td className={plain.figure}>{file_count}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </section>
  )
}
