import { clients } from '@roadshow/contract/catalog/clients'
import type { Client } from '@roadshow/contract/catalog/clients'
import { webhookInput, webhooks } from '@roadshow/contract/outreach/webhooks'
import type { Webhook, WebhookInput } from '@roadshow/contract/outreach/webhooks'
import {
  clientWebhookEvents,
  webhookEventLabel,
  webhookEvents,
  webhookEventTable,
} from '@roadshow/contract/outreach/webhook-events'
import type { WebhookEvent } from '@roadshow/contract/outreach/webhook-events'
import { Form, Input } from 'antd'
import { useSave } from '../../api/useSave.ts'
import { permissionsOf, useUser } from '../../api/user.ts'
import { CheckboxChoice } from '../../ui/form/CheckboxChoice.tsx'
import { EditForm } from '../../ui/form/EditForm.tsx'
import { Field, Section } from '../../ui/form/fields.tsx'
import { useNotice } from '../../ui/notices.tsx'
import { RecordField } from '../../ui/form/RecordField.tsx'
import type { Lookup } from '../../ui/form/RecordSelect.tsx'
import { StickyFooter } from '../../ui/form/StickyFooter.tsx'
import { useRecordForm } from '../../ui/form/useRecordForm.ts'
import type { FieldsOf } from '../../ui/text/words.ts'
import type { ShownSecret } from './NewSecret.tsx'
import styles from './Webhooks.module.css'

const fields: FieldsOf<WebhookInput> = {
  url: 'Address',
  description: 'Description',
  clientUid: 'Client',
  events: ['Events', webhookEventLabel],
}

const clientLookup: Lookup<Client> = { list: clients.list, sort: 'name', nameOf: ({ name }) => name }

interface WebhookFormProps {
  /** The endpoint to change; undefined for a new one. */
  webhook?: Webhook
  onClose: () => void
  onCreated: (created: ShownSecret) => void
  onSaved: () => void
}

const valuesOf = (webhook: Webhook | undefined): WebhookInput => ({
  url: webhook?.url ?? '',
  description: webhook?.description ?? '',
  clientUid: webhook?.client?.uid ?? null,
  events: webhook?.events ?? [],
})

/** Saves the endpoint. */
function useWebhookForm({ webhook, onCreated, onSaved }: WebhookFormProps) {
  const create = useSave(webhooks.create)
  const update = useSave(webhooks.update)
  const notice = useNotice()
  return useRecordForm({
    base: webhook,
    toInput: valuesOf,
    fields,
    schema: webhookInput,
    draft: webhook ? `${webhooks.update.path}${webhook.uid}` : webhooks.create.path,
    async save({ clientUid, ...shared }, of) {
      if (!of) return (await create.mutateAsync({ body: { ...shared, clientUid: clientUid ?? null } })).data
      await update.mutateAsync({ body: { ...shared, uid: of.uid, version: of.version } })
      return undefined
    },
    onSaved(created) {
      if (created) return onCreated(created)
      notice('The webhook is saved.')
      return onSaved()
    },
  })
}

/** Asks where messages go, and for what. */
export function WebhookForm(props: WebhookFormProps) {
  const edit = useWebhookForm(props)
  const { webhook, onClose } = props
  return (
    <EditForm edit={edit} focus="url">
      <Section title="Receiver" wide>
        <Field name="url" hint="Where messages are sent, such as https://hooks.example.com/roadshow.">
          <Input maxLength={500} autoComplete="off" inputMode="url" />
        </Field>
        <Field name="description" hint="What the receiver does with it.">
          <Input maxLength={200} autoComplete="off" />
        </Field>
      </Section>
      <Choice webhook={webhook} />
      <StickyFooter act={webhook ? 'Save' : 'Create webhook'} isBusy={edit.isBusy} onClose={onClose} />
    </EditForm>
  )
}

const describeEvent = (event: WebhookEvent) => (
  <>
    {webhookEventLabel[event]} (<code>{event}</code>)
    <span className={styles.description}>{webhookEventTable[event].description}</span>
  </>
)

/** The events that the endpoint gets. Its client can't change: the receiver relies on that client's events. */
function Choice({ webhook }: { webhook: Webhook | undefined }) {
  const form = Form.useFormInstance<WebhookInput>()
  const { modules } = permissionsOf(useUser())
  const clientUid = Form.useWatch('clientUid', form)
  const held = webhookEvents.filter((event) => modules.includes(webhookEventTable[event].module))
  const offered = clientUid ? held.filter((event) => clientWebhookEvents.includes(event)) : held

  const narrow = (chosen: unknown) => {
    if (!chosen) return
    const events = form.getFieldValue('events') as WebhookEvent[]
    form.setFieldValue(
      'events',
      events.filter((event) => clientWebhookEvents.includes(event)),
    )
  }

  return (
    <Section title="Events" wide>
      <RecordField
        name="clientUid"
        lookup={clientLookup}
        current={webhook?.client}
        isFixed={webhook !== undefined}
        none="All clients"
        onChosen={narrow}
        hint={
          webhook
            ? 'The client of a webhook can’t be changed. Create another webhook instead.'
            : 'Leave empty for all clients. A webhook of one client gets only that client’s events.'
        }
      />
      <Field name="events" dependsOn="clientUid">
        <CheckboxChoice offered={offered} labelOf={describeEvent} />
      </Field>
    </Section>
  )
}
