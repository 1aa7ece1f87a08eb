import type { PageRoute } from '../kernel/page-route.ts'

const client = '/clients/:client_id'
const list = `${client}/site_surveys`

export const siteSurveyRoutes: readonly PageRoute[] = [
  {
    path: `${client}/ancillary_services`,
    title: 'Ancillary Services',
    may: 'site_survey.read',
    page: async () => (await import('./survey-list.tsx')).AncillaryServices,
  },
  { path: list, title: 'Site Surveys', may: 'site_survey.read', page: async () => (await import('./survey-list.tsx')).SiteSurveyList },
  {
    path: `${list}/new`,
    title: 'New Site Survey',
    may: 'site_survey.create',
    page: async () => (await import('./survey-wizard.tsx')).NewSiteSurvey,
  },
  {
    path: `${list}/:site_survey_id/edit`,
    title: 'Edit Site Survey',
    may: 'site_survey.update',
    page: async () => (await import('./survey-wizard.tsx')).EditSiteSurvey,
  },
]
