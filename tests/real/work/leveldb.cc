// A database in memory is filled, compacted by hand, read, and thrown away; the same in every run.
#include <cstdio>
#include <memory>
#include <string>

#include "helpers/memenv/memenv.h"
#include "leveldb/cache.h"
#include "leveldb/db.h"
#include "leveldb/env.h"
#include "leveldb/filter_policy.h"
#include "leveldb/write_batch.h"

static std::string key(int n)
{
	char text[32];

	snprintf(text, sizeof(text), "key%05d", n * 7919 % 1000);
	return text;
}

int main()
{
	std::unique_ptr<leveldb::Env> env(leveldb::NewMemEnv(leveldb::Env::Default()));
	std::unique_ptr<const leveldb::FilterPolicy> filter(leveldb::NewBloomFilterPolicy(10));
	leveldb::Options options;
	leveldb::DB *db;
	int found = 0, seen = 0;

	options.env = env.get();
	options.filter_policy = filter.get();
	options.create_if_missing = true;
	options.block_size = 512;
	if (!leveldb::DB::Open(options, "/db", &db).ok())
		return 1;
	for (int i = 0; i < 400; i++)
		db->Put(leveldb::WriteOptions(), key(i), std::string(20 + i % 13, 'a' + i % 26));
	db->CompactRange(nullptr, nullptr);
	leveldb::WriteBatch batch;
	for (int i = 0; i < 50; i++)
		i % 2 ? batch.Delete(key(i)) : batch.Put(key(i), "batch");
	db->Write(leveldb::WriteOptions(), &batch);
	for (int i = 0; i < 500; i++) {
		std::string value;

		found += db->Get(leveldb::ReadOptions(), key(i), &value).ok();
	}
	std::unique_ptr<leveldb::Iterator> all(db->NewIterator(leveldb::ReadOptions()));
	for (all->SeekToFirst(); all->Valid(); all->Next())
		seen += all->value().size();
	for (all->SeekToLast(); all->Valid() && seen % 2; all->Prev())
		seen++;
	all.reset();
	printf("%d %d\n", found, seen);
	delete db;
}
