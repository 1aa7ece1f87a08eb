import { useMemo } from 'react'
import { Printer } from 'lucide-react'
import { listedSurvey, siteSurveyCalls, type ListedSurvey } from '#contract/site-surveys/site-survey.ts'
import { DeleteItem } from '../kernel/lists/delete-item.tsx'
import type { ColumnWish } from '../kernel/lists/list-columns.tsx'
import { ListPage } from '../kernel/lists/list-page.tsx'
import { usePathId } from '../kernel/navigation.tsx'
import { Can, useCan } from '../kernel/permissions.tsx'
import { Button } from '../ui/button.tsx'
import { MenuItem } from '../ui/menu.tsx'
import { EmptyState } from '../ui/states.tsx'
import { startFieldSheet, startSurveyPdf } from './survey-papers.ts'

/** The page of a client's services besides its bills; currently site surveys. */
export function AncillaryServices() {
  return <SurveyTable title="Ancillary Services" />
}

export function SiteSurveyList() {
  return <SurveyTable />
}

/** The site surveys of one client. */
function SurveyTable({ title }: { title?: string }) {
  const clientId = usePathId('client_id')
  const mayEdit = useCan('site_survey.update')
  const params = useMemo(() => ({ client_id: clientId }), [clientId])
  return (
    <ListPage
      entity={listedSurvey}
      calls={siteSurveyCalls}
      params={params}
      title={title}
      columns={columns}
      rowHref={mayEdit ? editHref : undefined}
      addNew={{ href: `/clients/${clientId}/site_surveys/new`, may: 'site_survey.create' }}
      headerActions={
        <Button onClick={() => void startFieldSheet(clientId)}>
          <Printer size={14} aria-hidden="true" />
          Field sheet
        </Button>
      }
      actions={(row) => <SurveyActions row={row} />}
      empty={
        <EmptyState title="No site surveys yet">
          A survey keeps what was found on a walk through a facility. The field sheet is for filling in by hand on the way.
        </EmptyState>
      }
    />
  )
}

const columns: readonly ColumnWish<ListedSurvey>[] = [
  { key: 'name', width: 180, pinned: true, grow: true },
  { key: 'facility', width: 180 },
  { key: 'facility_type_name', width: 140 },
  { key: 'property_type', width: 110 },
  { key: 'primary_business', width: 130 },
  { key: 'square_footage', width: 126 },
  { key: 'number_of_buildings', label: 'Buildings', width: 90 },
  { key: 'updated_at', width: 104 },
]

function editHref(row: ListedSurvey): string {
  return `/clients/${row.client_id}/site_surveys/${row.id}/edit`
}

function SurveyActions({ row }: { row: ListedSurvey }) {
  return (
    <>
      <Can do="site_survey.update">
        <MenuItem href={editHref(row)}>Edit</MenuItem>
      </Can>
      <MenuItem onSelect={() => void startSurveyPdf(row)}>PDF</MenuItem>
      <Can do="site_survey.destroy">
        <DeleteItem call={siteSurveyCalls.destroy} params={{ client_id: row.client_id, id: row.id }} name={row.name} />
      </Can>
    </>
  )
}
