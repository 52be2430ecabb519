import { assert, describe, it } from "vitest"
import { terraform } from "../../../../src/engine/languages/terraform/index.ts"
import { outlineOf } from "../outline/support.ts"

describe("Terraform", () => {
  it("lists resources, variables, modules, outputs and locals", async () => {
    const text = `# resource "no" "no" {}
terraform { required_version = ">= 1" }
resource "aws_instance" "web" {
  ami = var.ami
  lifecycle { ignore_changes = [tags] }
}
data "aws_ami" "base" {}
variable "ami" { type = string }
module "net" {
  source = "./net"
}
output "ip" { value = "\${aws_instance.web["x"].ip}" }
locals {
  a = { x = 1 }
  b = <<EOT
c = 1
EOT
  d = [
    1
  ]
}
region = "eu"
`
    assert.deepStrictEqual(await outlineOf(terraform, text), [
      "resource aws_instance.web 3-6",
      "resource data.aws_ami.base 7-7",
      "variable ami 8-8",
      "module net 9-11",
      "property ip 12-12",
      "variable a 14-14",
      "variable b 15-17",
      "variable d 18-20",
      "key region 22-22"
    ])
  })
})
