/** Topics, queues, subjects and channels: who publishes to them, who is subscribed. */
import type { LocalFact } from "../Local.ts"
import { ecmascript, type Pass } from "../Pass.ts"
import { at } from "../Routers.ts"
import {
  argOf,
  type Argument,
  type Chain,
  type Decoration,
  type Expr,
  type Part,
  type Script,
  textOf,
  textsOf
} from "../Script.ts"

type Role = "publish" | "subscribe"
interface Use {
  readonly role: Role
  readonly name: string | ReadonlyArray<string> | undefined
}

interface Transport {
  readonly name: string
  readonly languages: ReadonlyArray<string>
  readonly hints: ReadonlyArray<string>
  /** A file without this is none of the transport's. */
  readonly sign: RegExp
  readonly call?: (
    part: Part,
    base: string,
    args: ReadonlyArray<Argument>,
    chain: Chain,
    script: Script
  ) => Use | undefined
  readonly decoration?: (decoration: Decoration) => Use | undefined
  /** A literal of a type by name: its entries. */
  readonly entries?: (part: Part, entries: ReadonlyArray<Argument>) => Use | undefined
}

const everywhere = [...ecmascript, "python", "go", "java", "kotlin", "csharp", "ruby", "php", "rust"]
const text = (
  args: ReadonlyArray<Argument>,
  place: number,
  ...labels: ReadonlyArray<string>
): string | undefined => textOf(argOf(args, labels, place))
const inRecord = (expr: Expr | undefined, ...labels: ReadonlyArray<string>): ReadonlyArray<string> =>
  expr?.kind === "record" || expr?.kind === "list" ? textsOf(argOf(expr.items, labels)) : []
const some = (role: Role, name: string | ReadonlyArray<string> | undefined): Use | undefined =>
  name === undefined || name.length === 0 ? undefined : { role, name }

const transports: ReadonlyArray<Transport> = [
  {
    name: "kafka",
    languages: everywhere,
    hints: ["afka", "sarama", "franz-go"],
    sign: /kafka|sarama|franz-go|rdkafka/i,
    call: (part, base, args) => {
      const options = args[0]?.value
      if (/^(?:send|sendBatch|produce)$/.test(part.name)) {
        const named = inRecord(options, "topic")
        if (named.length > 0) return { role: "publish", name: named }
        if (/producer|kafka(?:Template)?|template/i.test(base)) return some("publish", text(args, 0, "topic"))
      }
      if (part.name === "subscribe" && /consumer/i.test(base)) {
        const named = [...inRecord(options, "topic", "topics"), ...textsOf(options)]
        return some("subscribe", named)
      }
      if (part.name === "ProducerRecord") return some("publish", text(args, 0))
      if (part.name === "KafkaConsumer" || part.name === "AIOKafkaConsumer")
        return some(
          "subscribe",
          args.filter(({ label }) => label === undefined).flatMap(({ value }) => textsOf(value))
        )
      if (part.name === "ConsumePartition" || part.name === "SubscribeTopics")
        return some("subscribe", textsOf(args[0]?.value))
      if (part.name === "send_and_wait") return some("publish", text(args, 0, "topic"))
      return undefined
    },
    entries: (part, entries) => {
      const topic = textOf(argOf(entries, "Topic"))
      return topic === undefined
        ? undefined
        : part.name === "ReaderConfig"
          ? { role: "subscribe", name: topic }
          : /^(?:Writer|WriterConfig|Message|ProducerMessage)$/.test(part.name)
            ? { role: "publish", name: topic }
            : undefined
    },
    decoration: ({ args, name }) =>
      name === "KafkaListener" ? some("subscribe", textsOf(argOf(args, ["topics", "value"], 0))) : undefined
  },
  {
    name: "nats",
    languages: everywhere,
    hints: ["nats"],
    sign: /\bnats\b/i,
    call: (part, base, args) => {
      if (
        !/^(?:nc|js|nats|conn|client|natsConnection|connection|jetstream|_?nats\w*|ec|n|s\.nc|c)$/i.test(base)
      )
        return undefined
      if (/^(?:publish|Publish|PublishAsync|request|Request|publish_async)$/.test(part.name))
        return some("publish", text(args, 0, "subject"))
      if (
        /^(?:subscribe|Subscribe|QueueSubscribe|SubscribeSync|PullSubscribe|ChanSubscribe|QueueSubscribeSync|pull_subscribe)$/.test(
          part.name
        )
      )
        return some("subscribe", text(args, 0, "subject"))
      return undefined
    }
  },
  {
    name: "rabbitmq",
    languages: everywhere,
    hints: ["amqp", "abbit", "pika", "bunny", "Bunny"],
    sign: /amqp|rabbit|\bpika\b|\bBunny\b/i,
    call: (part, _, args) => {
      const named = args.filter(({ label }) => label === undefined)
      if (part.name === "sendToQueue") return some("publish", textOf(named[0]?.value))
      if (part.name === "publish" && named.length >= 2 && textOf(named[0]?.value) !== undefined)
        return some("publish", textOf(named[1]?.value) || textOf(named[0]?.value))
      if (/^(?:basic_publish|BasicPublish|BasicPublishAsync)$/.test(part.name))
        return some(
          "publish",
          textOf(argOf(args, ["routing_key", "routingKey"], 1)) || text(args, 0, "exchange")
        )
      if (/^(?:PublishWithContext|Publish)$/.test(part.name)) {
        const shift = part.name === "PublishWithContext" ? 1 : 0
        return named.length >= shift + 4
          ? some("publish", textOf(named[shift + 1]?.value) || textOf(named[shift]?.value))
          : undefined
      }
      if (part.name === "convertAndSend")
        return some("publish", named.length >= 3 ? textOf(named[1]?.value) : textOf(named[0]?.value))
      if (/^(?:basic_consume|BasicConsume|BasicConsumeAsync)$/.test(part.name))
        return some("subscribe", text(args, 0, "queue"))
      if (/^(?:consume|Consume)$/.test(part.name)) return some("subscribe", textOf(named[0]?.value))
      return undefined
    },
    decoration: ({ args, name }) =>
      name === "RabbitListener"
        ? some("subscribe", textsOf(argOf(args, ["queues", "value"], 0)))
        : name === "RabbitSubscribe"
          ? some("subscribe", inRecord(args[0]?.value, "routingKey", "queue"))
          : undefined
  },
  {
    name: "redis",
    languages: everywhere,
    hints: ["redis", "Redis"],
    sign: /redis/i,
    call: (part, base, args) => {
      if (!/redis|pub|sub|client|rdb|^r$|conn/i.test(base)) return undefined
      const shift =
        args.length > 1 && textOf(args[0]?.value) === undefined && args[0]?.value.kind === "chain" ? 1 : 0
      if (/^(?:publish|Publish|xadd|xAdd|XAdd)$/.test(part.name))
        return some("publish", textOf(args[shift]?.value))
      if (/^(?:subscribe|Subscribe|psubscribe|pSubscribe|PSubscribe)$/.test(part.name))
        return some(
          "subscribe",
          args.slice(shift).flatMap(({ value }) => textsOf(value))
        )
      return undefined
    }
  },
  {
    name: "sns/sqs",
    languages: everywhere,
    hints: ["sqs", "sns", "SQS", "SNS"],
    sign: /\bsqs\b|\bsns\b|SQS|SNS/,
    call: (part, _, args) => {
      const options = args[0]?.value
      const shape = [
        ...inRecord(options, "QueueUrl", "TopicArn", "QueueName"),
        ...[textOf(argOf(args, ["QueueUrl", "TopicArn"]))].filter((each) => each !== undefined)
      ]
      const short = shape.map((each) => each.split(/[/:]/).at(-1)!)
      if (
        /^(?:sendMessage|send_message|sendMessageBatch|SendMessageCommand|publish|PublishCommand|send_message_batch)$/.test(
          part.name
        )
      )
        return some("publish", short)
      if (/^(?:receiveMessage|receive_message|ReceiveMessageCommand|subscribe)$/.test(part.name))
        return some("subscribe", short)
      return undefined
    },
    decoration: ({ args, name }) =>
      name === "SqsListener" || name === "SqsMessageHandler"
        ? some("subscribe", textsOf(argOf(args, ["value", "queueNames"], 0)))
        : undefined
  },
  {
    name: "google pub/sub",
    languages: everywhere,
    hints: ["pubsub", "PubSub"],
    sign: /google[\w./-]*pub-?sub|@google-cloud\/pubsub|pubsub_v1|cloud\.google\.com\/go\/pubsub/i,
    call: (part, _, args, chain) => {
      const named = textOf(args[0]?.value)?.split("/").at(-1)
      const last = chain.parts.at(-1)!.name
      if (/^(?:topic|Topic)$/.test(part.name))
        return /^(?:publish|Publish|publishMessage|publishJSON)$/.test(last) || last === part.name
          ? some("publish", named)
          : undefined
      if (/^(?:subscription|Subscription)$/.test(part.name)) return some("subscribe", named)
      if (part.name === "topic_path") return some("publish", textOf(args[1]?.value))
      if (part.name === "subscription_path") return some("subscribe", textOf(args[1]?.value))
      return undefined
    }
  },
  {
    name: "mqtt",
    languages: everywhere,
    hints: ["mqtt"],
    sign: /mqtt/i,
    call: (part, base, args) => {
      if (!/client|mqtt/i.test(base)) return undefined
      if (/^(?:publish|Publish|publishAsync)$/.test(part.name)) return some("publish", text(args, 0, "topic"))
      if (/^(?:subscribe|Subscribe|subscribeAsync)$/.test(part.name))
        return some("subscribe", textsOf(args[0]?.value))
      return undefined
    }
  },
  {
    name: "bull",
    languages: ecmascript,
    hints: ["bull"],
    sign: /["'](?:bull|bullmq|@nestjs\/bull(?:mq)?|bee-queue)["']/,
    call: (part, _, args) =>
      part.name === "Queue"
        ? some("publish", textOf(args[0]?.value))
        : part.name === "Worker" || part.name === "QueueEvents"
          ? some("subscribe", textOf(args[0]?.value))
          : undefined,
    decoration: ({ args, name }) =>
      name === "Processor"
        ? some("subscribe", textsOf(args[0]?.value))
        : name === "InjectQueue"
          ? some("publish", textsOf(args[0]?.value))
          : undefined
  },
  {
    name: "celery",
    languages: ["python"],
    hints: ["celery", "shared_task"],
    sign: /celery|shared_task/,
    call: (part, base, args) =>
      part.name === "send_task"
        ? some("publish", text(args, 0, "name"))
        : /^(?:delay|apply_async)$/.test(part.name) && base !== ""
          ? some("publish", base)
          : undefined,
    decoration: ({ args, name, on }) =>
      /^(?:task|shared_task)$/.test(name) && on.kind === "function"
        ? some("subscribe", textOf(argOf(args, "name")) ?? on.name)
        : undefined
  },
  {
    name: "sidekiq",
    languages: ["ruby"],
    hints: ["perform_async", "perform_in", "perform_later"],
    sign: /perform_(?:async|in|later)|Sidekiq/,
    call: (part, base) =>
      /^(?:perform_async|perform_in|perform_at|perform_later)$/.test(part.name) && base !== ""
        ? some("publish", base)
        : undefined
  },
  {
    name: "event emitter",
    languages: ecmascript,
    hints: ["EventEmitter", "@OnEvent", "mitt(", ".emit("],
    sign: /EventEmitter|\bmitt\b|\.emit\(|@OnEvent/,
    call: (part, base, args, _, script) => {
      if (
        /^(?:socket|io|process|server|req|res|stream|request|response|ws|wss|client|conn|child|worker|rl|proc|nsp)$/i.test(
          base
        )
      )
        return undefined
      const name = textOf(args[0]?.value)
      if (/^(?:emit|emitAsync)$/.test(part.name) && base !== "") return some("publish", name)
      // Much has listeners; those of emitters are known by what the file makes or by their name.
      if (
        /^(?:on|once|addListener|prependListener)$/.test(part.name) &&
        args.length > 1 &&
        (/EventEmitter|\bmitt\b/.test(script.text) || /(?:bus|emitter|events)$/i.test(base))
      )
        return some("subscribe", name)
      return undefined
    },
    decoration: ({ args, name }) =>
      name === "OnEvent" ? some("subscribe", textsOf(args[0]?.value)) : undefined
  },
  {
    name: "spring events",
    languages: ["java", "kotlin"],
    hints: [
      "publishEvent",
      "@EventListener",
      "@TransactionalEventListener",
      "@StreamListener",
      "@JmsListener"
    ],
    sign: /publishEvent|EventListener|StreamListener|JmsListener/,
    call: (part, _, args) =>
      part.name === "publishEvent" &&
      args[0]?.value.kind === "chain" &&
      /^[A-Z]/.test(args[0].value.chain.parts[0]!.name)
        ? some("publish", args[0].value.chain.parts[0]!.name)
        : undefined,
    decoration: ({ args, name }) =>
      name === "JmsListener"
        ? some("subscribe", text(args, 0, "destination"))
        : name === "StreamListener"
          ? some("subscribe", textsOf(argOf(args, ["value", "target"], 0)))
          : undefined
  }
]

export const topicPasses: ReadonlyArray<Pass> = transports.map(
  ({ call, decoration, entries, hints, languages, name, sign }): Pass => ({
    name,
    family: "messages",
    languages,
    hints,
    *read({ script, text: source }): Generator<LocalFact> {
      if (!sign.test(source)) return
      const notes = function* (use: Use | undefined, token: number): Generator<LocalFact> {
        if (use === undefined) return
        for (const each of typeof use.name === "string" ? [use.name] : (use.name ?? []))
          if (each !== "")
            yield {
              kind: "note",
              pass: name,
              what: "topic",
              name: each,
              data: { transport: name, role: use.role },
              ...at(script, token)
            }
      }
      for (const chain of script.chains()) {
        if (chain.decorates === true) continue
        for (const [index, part] of chain.parts.entries()) {
          if (part.entries !== undefined && entries !== undefined)
            yield* notes(entries(part, part.entries), part.at)
          if (part.args === undefined || call === undefined) continue
          const before = chain.parts[index - 1]?.name ?? ""
          yield* notes(call(part, before, part.args, chain, script), part.at)
        }
      }
      if (decoration !== undefined)
        for (const each of script.decorations()) yield* notes(decoration(each), each.at)
      if (name === "sidekiq")
        for (const each of script.classes())
          if (
            /ApplicationJob|ActiveJob/.test(each.header) ||
            /Sidekiq\s*::\s*(?:Job|Worker)/.test(script.slice(each.from, each.to))
          )
            yield* notes({ role: "subscribe", name: each.name }, each.at)
    }
  })
)
