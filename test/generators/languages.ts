/**
 * A language other than TypeScript: how openapi-generator makes a client, and a program that creates a job, lists it, and lists the changed
 * jobs. Its arguments are a token, an idempotency key and a job in JSON; it prints `{created, listed, changed}` in JSON.
 */
interface Language {
  /** Succeeds where the language and what the generated code imports are installed. */
  readonly needs: string;
  /** The package with the generator: version 5, or 4 for Go, of which 5.0.0-beta2 writes no models. */
  readonly generator: '@openapitools/openapi-generator-cli' | 'openapi-generator-4';
  readonly options: string;
  readonly program: { readonly name: string; readonly text: string };
  /** Compiles it, with the generated code in `api` and the generator in $JAR. */
  readonly compile?: string;
  readonly run: string;
}

const version5 = '@openapitools/openapi-generator-cli';

export const languages: Record<string, Language> = {
  Python: {
    needs: `python3 -c 'import certifi, dateutil, six, urllib3'`,
    generator: version5,
    options: '-g python',
    program: {
      name: 'program.py',
      text: `import json, sys
from datetime import datetime, timedelta, timezone
sys.path.insert(0, 'api')
import openapi_client

token, key, job = sys.argv[1:]
configuration = openapi_client.Configuration()
configuration.access_token = token
with openapi_client.ApiClient(configuration) as client:
    jobs = openapi_client.JobsApi(client)
    created = jobs.create_job(key, openapi_client.JobInput(**json.loads(job))).data
    listed = jobs.list_jobs(page=1, per_page=10, status='pending').data
    since = datetime(2020, 1, 1, 1, tzinfo=timezone(timedelta(hours=1)))
    changed = jobs.list_jobs(updated_since=since).data
    print(json.dumps(client.sanitize_for_serialization({'created': created, 'listed': listed, 'changed': changed})))
`,
    },
    run: 'python3 program.py',
  },
  Java: {
    needs: 'javac -version',
    generator: version5,
    // Without nullable types, the generator's own program has all packages that the code imports.
    options: '-g java --library native -p openApiNullable=false,hideGenerationTimestamp=true',
    program: {
      name: 'Program.java',
      text: `import java.time.OffsetDateTime;
import java.util.Map;
import org.openapitools.client.ApiClient;
import org.openapitools.client.api.JobsApi;
import org.openapitools.client.model.*;

public class Program {
  public static void main(String[] args) throws Exception {
    ApiClient client = new ApiClient();
    client.setRequestInterceptor(request -> request.header("Authorization", "Bearer " + args[0]));
    JobsApi jobs = new JobsApi(client);
    JobInput input = client.getObjectMapper().readValue(args[2], JobInput.class);
    Job created = jobs.createJob(args[1], input).getData();
    JobListResponse listed = jobs.listJobs(1, 10, "pending", null, null, null, null);
    // This generator sends no seconds if they are 0, and no RFC 3339 then.
    OffsetDateTime since = OffsetDateTime.parse("2020-01-01T01:00:01+01:00");
    JobListResponse changed = jobs.listJobs(null, null, null, since, null, null, null);
    System.out.println(client.getObjectMapper().writeValueAsString(
      Map.of("created", created, "listed", listed.getData(), "changed", changed.getData())));
  }
}
`,
    },
    compile: 'javac -nowarn -d classes -cp "$JAR" Program.java $(find api/src/main -name "*.java")',
    run: 'java -cp "$JAR:classes" Program',
  },
  PHP: {
    needs: `php -r 'require "GuzzleHttp/autoload.php";'`,
    generator: version5,
    options: '-g php',
    program: {
      name: 'program.php',
      text: `<?php
namespace GuzzleHttp\\Psr7 {
    // The generator knows version 1 of this package.
    function build_query(array $parameters) { return Query::build($parameters); }
}
namespace {
    require 'GuzzleHttp/autoload.php';
    spl_autoload_register(function ($name) {
        $file = 'api/lib/' . str_replace(['OpenAPI\\\\Client\\\\', '\\\\'], ['', '/'], $name) . '.php';
        if (is_file($file)) require $file;
    });
    [, $token, $key, $job] = $argv;
    $configuration = OpenAPI\\Client\\Configuration::getDefaultConfiguration()->setAccessToken($token);
    $jobs = new OpenAPI\\Client\\Api\\JobsApi(new GuzzleHttp\\Client(), $configuration);
    $input = OpenAPI\\Client\\ObjectSerializer::deserialize(json_decode($job), '\\OpenAPI\\Client\\Model\\JobInput');
    $created = $jobs->createJob($key, $input)->getData();
    $listed = $jobs->listJobs(1, 10, 'pending')->getData();
    // This generator sends a DateTime as an object.
    $changed = $jobs->listJobs(1, 25, null, '2020-01-01T01:00:00+01:00')->getData();
    echo json_encode(OpenAPI\\Client\\ObjectSerializer::sanitizeForSerialization(
        (object) ['created' => $created, 'listed' => $listed, 'changed' => $changed]
    ));
}
`,
    },
    run: 'php program.php',
  },
  Go: {
    needs: 'go version && test -d /usr/share/gocode/src/golang.org/x/oauth2',
    generator: 'openapi-generator-4',
    // Each nullable enum has a constant NULL; without their prefixes they would be one name.
    options: '-g go-experimental -p enumClassPrefix=true',
    program: {
      name: 'program.go',
      text: `package main

import (
	"context"
	"encoding/json"
	"os"
	"time"

	openapi "api"
)

func must(err error) {
	if err != nil {
		panic(err)
	}
}

func main() {
	with := context.WithValue(context.Background(), openapi.ContextAccessToken, os.Args[1])
	jobs := openapi.NewAPIClient(openapi.NewConfiguration()).JobsApi
	var input openapi.JobInput
	must(json.Unmarshal([]byte(os.Args[3]), &input))
	created, _, err := jobs.CreateJob(with).IdempotencyKey(os.Args[2]).JobInput(input).Execute()
	must(err)
	listed, _, err := jobs.ListJobs(with).Page(1).PerPage(10).Status("pending").Execute()
	must(err)
	since := time.Date(2020, 1, 1, 1, 0, 0, 0, time.FixedZone("", 3600))
	changed, _, err := jobs.ListJobs(with).UpdatedSince(since).Execute()
	must(err)
	must(json.NewEncoder(os.Stdout).Encode(map[string]interface{}{
		"created": created.Data, "listed": listed.Data, "changed": changed.Data,
	}))
}
`,
    },
    compile:
      'mkdir -p src && ln -sfn ../api src/api && GO111MODULE=off GOPATH="$PWD:/usr/share/gocode" GOCACHE="$PWD/cache" go build -o program program.go',
    run: './program',
  },
};
