import { settings } from '@roadshow/contract/catalog/settings'
import type { SettingKey } from '@roadshow/contract/catalog/settings'
import { greetingSteps, setup } from '@roadshow/contract/console/setup'
import type { GreetingStep } from '@roadshow/contract/console/setup'
import { markets } from '@roadshow/contract/catalog/markets'
import { useNavigate } from '@tanstack/react-router'
import { Button } from 'antd'
import { useCall } from '../../api/useCall.ts'
import { useList } from '../../api/useList.ts'
import { useSave } from '../../api/useSave.ts'
import { SettingsForm } from '../../catalog/settings/SettingsForm.tsx'
import { List, Row, Soft, Stack } from '../../ui/layout.tsx'
import { ErrorState, SkeletonLines } from '../../ui/states.tsx'
import { useSearchParam } from '../../ui/useSearchParam.ts'
import { NEW_RECORD } from '../../ui/useListState.ts'
import styles from './setup.module.css'

/** The steps are forms that stand elsewhere too: settings in Settings, markets in Markets. */
const steps: Record<GreetingStep, { title: string; keys?: readonly SettingKey[] }> = {
  company: { title: 'Company', keys: ['companyName', 'companyLogoUid', 'companyColor', 'companyZone'] },
  markets: { title: 'Markets' },
  pay: { title: 'Pay calendar', keys: ['payCalendar', 'payCalendarFrom'] },
  dates: { title: 'Clock', keys: ['is24HourClock'] },
}

/** Greets a new company: its name, markets, pay calendar and clock. What was done or skipped is not asked again. */
export default function WelcomePage() {
  const found = useCall(setup.get, {}, { refetchOnMount: 'always' })
  const saved = useCall(settings.get, {}, { refetchOnMount: 'always', refetchOnWindowFocus: false })
  const pass = useSave(setup.passStep)
  const navigate = useNavigate()
  const [asked, show] = useSearchParam('step')
  if (found.isError || saved.isError)
    return <ErrorState error={found.error ?? saved.error} onRetry={() => void found.refetch()} />
  if (!found.data || !saved.data) return <SkeletonLines rows={6} />
  const step = greetingSteps.find((each) => each === asked) ?? found.data.greeting ?? 'company'

  const goOn = async () => {
    await pass.mutateAsync({ body: { step } })
    const next = greetingSteps[greetingSteps.indexOf(step) + 1]
    if (next) show(next)
    else await navigate({ to: '/setup' })
  }

  const { title, keys } = steps[step]
  return (
    <Stack gap={6} className={styles.page}>
      <ol className={styles.steps} aria-label="Steps">
        {greetingSteps.map((each) => (
          <li key={each} aria-current={each === step ? 'step' : undefined}>
            <Button type="text" onClick={() => show(each)}>
              {steps[each].title}
            </Button>
          </li>
        ))}
      </ol>
      <section aria-label={title}>
        {keys ? (
          <SettingsForm
            key={`${step} ${saved.data.version}`}
            saved={saved.data}
            keys={keys}
            act="Save and continue"
            cancel="Skip"
            onClose={() => void goOn()}
          />
        ) : (
          <MarketsStep onNext={() => void goOn()} />
        )}
      </section>
    </Stack>
  )
}

/** The markets so far, and the form of markets beside the page. */
function MarketsStep({ onNext }: { onNext: () => void }) {
  const found = useList(markets.list, { sort: 'name', page: '1', pageSize: '50' })
  const [, open] = useSearchParam('markets')
  const rows = found.data?.data ?? []
  return (
    <Stack gap={4}>
      <Soft as="p">
        The metro areas in which your trucks drive, each with its time zone: by the ZIP code of its center and a radius,
        or drawn on the map.
      </Soft>
      <List divided aria-label="Markets">
        {rows.map(({ uid, name, state, zone }) => (
          <li key={uid}>
            <strong>{state ? `${name}, ${state}` : name}</strong> <Soft>{zone}</Soft>
          </li>
        ))}
      </List>
      <Row gap={2} right>
        <Button onClick={() => open(NEW_RECORD)}>New market</Button>
        <Button type="primary" onClick={onNext}>
          {rows.length > 0 ? 'Continue' : 'Skip'}
        </Button>
      </Row>
    </Stack>
  )
}
